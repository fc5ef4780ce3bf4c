import pytest
from django.urls import reverse

from annotate.collections.operations import collections
from annotate.models import Collection, PairDraw
from annotate.rules import assignment
from tests import factories, visitors

SAID = {
    "share_hidden": 50,
    "share_shown": 20,
    "share_reveal": 30,
    "arm_unit": "TOPIC",
    "seed": 7,
    "order": "RANDOM",
    "target": 2,
    "share_several": 20,
    "target_several": 4,
    "share_repeated": 10,
    "repeat_distance": 30,
    "propagates_duplicates": True,
    "consensus": "MEDIAN",
    "claim_minutes": 15,
    "idle_seconds": 90,
    "reference_rater": "",
}


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection(), topics=2, passages=3)


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def save(visitor, collection, **changes):
    answer = visitor.post(reverse("judging_settings", args=[collection.slug]), {**SAID, **changes}, follow=True)
    collection.refresh_from_db()
    return answer


def test_all_settings_are_stored_and_open_places_follow_the_target(visitor, collection):
    save(visitor, collection)

    stored = {name: getattr(collection, name) for name in SAID if name != "reference_rater"}
    assert stored == {name: value for name, value in SAID.items() if name != "reference_rater"}
    for pair in collection.pairs.select_related("topic"):
        wanted = assignment.assign_target(2, 4, 20, 7, query_id=pair.topic.query_id, passage_id=pair.passage_id)
        assert pair.places_open == wanted


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"share_hidden": 40}, "add up to 90, not to 100"),
        ({"share_hidden": 0, "share_shown": 0, "share_reveal": 0}, "add up to 0, not to 100"),
        ({"share_hidden": -10, "share_shown": 110, "share_reveal": 0}, "greater than or equal to 0"),
        ({"target": 0}, "greater than or equal to 1"),
        ({"claim_minutes": 0}, "greater than or equal to 1"),
        ({"arm_unit": "MOON"}, "MOON is not one of the available choices"),
        ({"seed": 2**70}, "less than or equal to"),
        ({"target": 40_000}, "less than or equal to"),
        ({"target_several": 2}, "need more judgments than the 2 of the others"),
        ({"share_several": 101}, "less than or equal to 100"),
        ({"share_repeated": -1}, "greater than or equal to 0"),
        ({"repeat_distance": 0}, "greater than or equal to 1"),
        ({"order": "SAMPLE"}, "SAMPLE is not one of the available choices"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(visitor, collection, wrong, sentence):
    before = Collection.objects.filter(pk=collection.pk).values().get()
    answer = save(visitor, collection, **wrong)

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert Collection.objects.filter(pk=collection.pk).values().get() == before


@pytest.mark.postgresql
def test_once_judgments_are_stored_the_arms_are_locked_with_the_reason_and_the_rest_is_not(visitor, collection):
    factories.judge(factories.make_assessor(collection))
    page = visitor.get(reverse("judging_settings", args=[collection.slug]))
    assert page.context["form"].fields["share_hidden"].disabled
    assert "Judgments are stored: the arms, what fixes them and the seed stay as they are." in visitors.words(page)

    save(visitor, collection)

    assert (collection.share_hidden, collection.seed, collection.arm_unit) == (100, 1, "PAIR")
    assert (collection.target, collection.consensus) == (2, "MEDIAN")


def test_an_order_that_a_draw_gave_is_shown_and_ended_on_another_page(visitor, collection):
    draw = PairDraw.objects.create(
        collection=collection, kind="SAMPLE", seed=1, size=2, frame_version=1, created_at=factories.NOW
    )
    Collection.objects.update(order="SAMPLE", pair_draw=draw)
    answer = save(visitor, collection, order="RANDOM")

    assert collection.order == "SAMPLE"
    assert "it is started and ended on the page Pairs" in visitors.words(answer)
    with pytest.raises(collections.CannotChange, match="drawn from the holes"):
        collections.change_judging(collection=collection, changes={"order": "TOPIC"})


@pytest.mark.parametrize("order", ["SAMPLE", "LIST", "INFLUENCE"])
def test_no_order_is_taken_without_the_draw_that_it_needs(collection, order):
    with pytest.raises(collections.CannotChange, match="start it on the page Pairs"):
        collections.change_judging(collection=collection, changes={"order": order})


@pytest.mark.postgresql
def test_while_a_models_probabilities_order_the_pairs_no_arm_becomes_blind(collection):
    Collection.objects.update(share_hidden=0, share_shown=100)
    draw = PairDraw.objects.create(
        collection=collection,
        kind="INFLUENCE",
        size=2,
        frame_version=1,
        design={"is_weighted": True},
        created_at=factories.NOW,
    )
    Collection.objects.update(order="INFLUENCE", pair_draw=draw)
    with pytest.raises(collections.CannotChange, match="some of them grade blind"):
        collections.change_judging(collection=collection, changes={"share_hidden": 50, "share_shown": 50})


@pytest.mark.postgresql
def test_the_reference_is_a_reference_rater_of_this_collection(visitor, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n", rater="nist")
    factories.import_qrels(collection, "q1 0 d1.2 2\nq2 0 d2.1 1\n", rater="other")
    model = factories.make_suggestions(collection)
    other = collection.raters.get(name="other")

    assert save(visitor, collection, reference_rater=model.pk).status_code == 422
    save(visitor, collection, reference_rater=other.pk)

    assert collection.reference_rater == other
    assert set(collection.pairs.filter(is_reference_closed=True).values_list("passage_id", flat=True)) == {
        "d1.2",
        "d2.1",
    }


@pytest.mark.postgresql
def test_the_reference_is_locked_while_holes_are_drawn_from_it(visitor, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n", rater="nist")
    visitor.post(reverse("draw_holes", args=[collection.slug]), {"fraction": 1, "grades": [2], "seed": 1})
    answer = save(visitor, collection, reference_rater="")

    assert collection.reference_rater.name == "nist"
    assert "take the draw back before you choose another" in visitors.words(answer)
