import pytest
from django.urls import reverse

from annotate.models import Batch, Rater
from tests import factories, visitors


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection(), topics=2, passages=3)


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def test_models_stand_side_by_side_with_their_grades_and_failures(visitor, collection):
    factories.make_suggestions(collection, grade=1, rater="one")
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\nq2 0 d2.1 7\n", rater="two", kind="MODEL")
    answer = visitor.get(reverse("suggestions", args=[collection.slug]))

    one, two = answer.context["models"]
    assert [(row.grade, row.count, row.share) for row in one.grades] == [(0, 0, 0), (1, 6, 100), (2, 0, 0), (3, 0, 0)]
    assert [(row.grade, row.count, row.share) for row in two.grades] == [(0, 1, 50), (1, 0, 0), (2, 0, 0), (3, 1, 50)]
    assert two.without_grade == [("not parsed", 1)]
    page = visitors.words(answer)
    assert "6 pairs graded, of which 6 are holes today" in page
    assert "Without a grade, and so without a say: 1 not parsed" in page


def test_a_model_covers_only_what_is_still_a_hole(visitor, collection):
    factories.make_suggestions(collection, rater="one")
    factories.import_qrels(collection, "q1 0 d1.1 2\n")

    assert visitor.get(reverse("suggestions", args=[collection.slug])).context["models"][0].holes == 5


def test_the_learned_judge_is_queued_once_and_shows_its_progress(visitor, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 0\n")
    first = visitor.post(reverse("start_own_judge", args=[collection.slug]), follow=True)
    again = visitor.post(reverse("start_own_judge", args=[collection.slug]), follow=True)

    assert "learned-1 is asked about 6 pairs" in visitors.words(first)
    assert "suggestions of learned-1: waiting" in visitors.words(first)
    assert "learned-1 learns from the same and is at work already" in visitors.words(again)
    assert Batch.objects.count() == 1


def test_without_grades_the_learned_judge_says_what_it_needs(visitor, collection):
    answer = visitor.post(reverse("start_own_judge", args=[collection.slug]), follow=True)

    assert "There are no grades to learn from: import qrels, or judge some pairs" in visitors.words(answer)
    assert not Batch.objects.exists()


@pytest.mark.postgresql
def test_the_model_that_assessors_see_is_chosen_and_unchosen(visitor, collection):
    factories.make_suggestions(collection, rater="one")
    two = factories.make_suggestions(collection, rater="two")
    one = Rater.objects.get(name="one")
    where = reverse("choose_model", args=[collection.slug])

    assert "Assessors see one in the arms" in visitors.words(
        visitor.post(where, {"suggesting_rater": one.pk}, follow=True)
    )
    collection.refresh_from_db()
    assert collection.suggesting_rater == one != two

    assert "Assessors see no model" in visitors.words(visitor.post(where, {"suggesting_rater": ""}, follow=True))
    collection.refresh_from_db()
    assert collection.suggesting_rater is None


def test_a_reference_or_a_model_of_another_collection_cannot_be_shown(visitor, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n", rater="nist")
    foreign = factories.make_suggestions(factories.make_holes(factories.make_collection()))

    for rater in [Rater.objects.get(name="nist"), foreign]:
        where = reverse("choose_model", args=[collection.slug])
        answer = visitor.post(where, {"suggesting_rater": rater.pk}, follow=True)
        assert "Choose a model of this collection" in visitors.words(answer)
    collection.refresh_from_db()
    assert collection.suggesting_rater is None


def test_where_no_model_spoke_the_page_says_what_to_do(visitor, collection):
    page = visitors.words(visitor.get(reverse("suggestions", args=[collection.slug])))

    assert "No model has said anything yet" in page
    assert "Start Lacuna's own judge" in page


def graded(collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 0\n")
    return factories.make_suggestions(collection, rater="gpt")


@pytest.mark.postgresql
def test_a_version_is_calibrated_on_the_models_that_are_ticked(visitor, collection):
    model = graded(collection)
    where = reverse("start_own_judge", args=[collection.slug])
    answer = visitor.post(where, {"models": [model.pk], "carry_over": "yes"}, follow=True)

    assert "calibrated-1 is asked about 6 pairs" in visitors.words(answer)
    told = Rater.objects.get(name="calibrated-1").parameters
    assert ([taught["name"] for taught in told["models"]], told["may_carry_over"]) == (["gpt"], True)


def test_only_models_of_others_with_grades_can_be_ticked(visitor, collection):
    graded(collection)
    visitor.post(reverse("start_own_judge", args=[collection.slug]))
    learned = Rater.objects.get(name="learned-1")
    empty = Rater.objects.create(collection=collection, name="silent", kind="MODEL", created_at=factories.NOW)
    foreign = factories.make_suggestions(factories.make_holes(factories.make_collection()))

    for rater in (learned, empty, foreign):
        answer = visitor.post(reverse("start_own_judge", args=[collection.slug]), {"models": [rater.pk]})
        assert answer.status_code == 422
        assert "is not one of the available choices" in visitors.words(answer)
    assert Batch.objects.count() == 1


def test_what_a_version_says_is_doubtful_stands_on_its_card(visitor, collection):
    graded(collection)
    visitor.post(reverse("start_own_judge", args=[collection.slug]))
    version = Rater.objects.get(name="learned-1")
    Rater.objects.filter(pk=version.pk).update(parameters={**version.parameters, "warning": "holes <differ>"})
    answer = visitor.get(reverse("suggestions", args=[collection.slug]))

    assert ": holes <differ>." in visitors.words(answer)
    assert b"holes <differ>" not in answer.content


def test_earlier_versions_have_a_line_and_no_card(visitor, collection):
    graded(collection)
    versions = [
        Rater.objects.create(
            collection=collection, name=f"learned-{n}", kind="MODEL", judge="learned",
            parameters={"grades": n}, created_at=factories.NOW,
        )
        for n in (1, 2, 3)
    ]  # fmt: skip
    where = reverse("suggestions", args=[collection.slug])
    answer = visitor.get(where)
    assert [model.rater.name for model in answer.context["models"]] == ["gpt", "learned-3"]
    assert [version.name for version in answer.context["versions"]] == ["learned-3", "learned-2", "learned-1"]

    visitor.post(reverse("choose_model", args=[collection.slug]), {"suggesting_rater": versions[0].pk})
    shown = [model.rater.name for model in visitor.get(where).context["models"]]
    assert shown == ["gpt", "learned-1", "learned-3"]


@pytest.mark.postgresql
def test_when_versions_come_by_themselves_is_kept(visitor, collection):
    where = reverse("change_successors", args=[collection.slug])
    visitor.post(where, {"retrains_after": "200", "suggests_newest": "on"})
    collection.refresh_from_db()
    assert (collection.calibrates_models, collection.retrains_after, collection.suggests_newest) == (False, 200, True)

    for wrong in ("-1", "10001", "many", ""):
        answer = visitor.post(where, {"retrains_after": wrong})
        assert answer.status_code == 422
    collection.refresh_from_db()
    assert collection.retrains_after == 200
