import pytest
from django.urls import reverse

from annotate.models import Collection
from tests import factories, visitors

SAID = {
    "share_hidden": 50,
    "share_shown": 20,
    "share_reveal": 30,
    "arm_unit": "TOPIC",
    "seed": 7,
    "order": "RANDOM",
    "target": 2,
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
    assert set(collection.pairs.values_list("places_open", flat=True)) == {2}


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
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(visitor, collection, wrong, sentence):
    before = Collection.objects.filter(pk=collection.pk).values().get()
    answer = save(visitor, collection, **wrong)

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert Collection.objects.filter(pk=collection.pk).values().get() == before


def test_once_judgments_are_stored_the_arms_are_locked_with_the_reason_and_the_rest_is_not(visitor, collection):
    factories.judge(factories.make_assessor(collection))
    page = visitor.get(reverse("judging_settings", args=[collection.slug]))
    assert page.context["form"].fields["share_hidden"].disabled
    assert "Judgments are stored: the arms, what fixes them and the seed stay as they are." in visitors.words(page)

    save(visitor, collection)

    assert (collection.share_hidden, collection.seed, collection.arm_unit) == (100, 1, "PAIR")
    assert (collection.target, collection.consensus) == (2, "MEDIAN")


def test_judging_is_paused_and_opened_again(visitor, collection):
    save(visitor, collection, is_paused="on")
    assert collection.is_paused

    save(visitor, collection)
    assert not collection.is_paused


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


def test_the_reference_is_locked_while_holes_are_drawn_from_it(visitor, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n", rater="nist")
    visitor.post(reverse("draw_holes", args=[collection.slug]), {"fraction": 1, "grades": [2], "seed": 1})
    answer = save(visitor, collection, reference_rater="")

    assert collection.reference_rater.name == "nist"
    assert "take the draw back before you choose another" in visitors.words(answer)


def test_progress_shows_counts_of_each_assessor_and_asks_again_while_pairs_are_open(visitor, collection):
    assessor = factories.make_assessor(collection, "ann")
    factories.judge(assessor)
    live = visitor.get(reverse("judging_progress", args=[collection.slug]))

    assert "1 of 6 pairs have the judgments that are wanted" in visitors.words(live)
    assert "ann assessor-1 1 0" in visitors.words(live)
    assert 'hx-trigger="every 5s"' in live.content.decode()
    assert "<html" not in live.content.decode()


def test_progress_stops_asking_when_everything_is_judged(visitor, collection):
    assessor = factories.make_assessor(collection)
    for _ in range(6):
        factories.judge(assessor)

    answer = visitor.get(reverse("judging_progress", args=[collection.slug]))
    assert "hx-trigger" not in answer.content.decode()
    assert "6 of 6 pairs" in visitors.words(answer)
