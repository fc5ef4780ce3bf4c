import pytest

from annotate.models import Collection, Suggestion
from annotate.pool.operations import pooling
from evaluation.inputs import raters
from evaluation.pages.agreement.forms import AgreementForm
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import comparing, small

pytestmark = pytest.mark.django_db


def names(collection):
    return [rater.name for rater in raters.list_raters(collection)]


def test_only_those_with_grades_are_listed():
    collection = factories.make_holes(factories.make_collection())
    assert names(collection) == []
    factories.import_qrels(collection, small.lines("q1 d1.1 2, q1 d9 1"))
    factories.make_suggestions(collection)
    assert names(collection) == ["nist", "model-a"]
    pooling.draw_holes(collection=collection, fraction=1, chosen=[1], seed=1, by=None, now=NOW)
    factories.make_assessor(collection)
    factories.judge(factories.make_assessor(collection))
    assert names(collection) == ["nist", "dropped", "people", "assessor-2", "model-a"]


def test_the_reference_goes_by_its_role_and_by_its_name():
    collection = small.with_qrels("q1 d1 3, q1 d2 1")
    factories.import_qrels(collection, small.lines("q1 d1 0"), rater="second")
    assert raters.find_rater(collection, "reference") == raters.find_rater(collection, "nist")
    assert raters.read_grades(collection, raters.find_rater(collection, "second")) == {("q1", "d1"): 0}


def test_dropped_grades_are_a_rater_of_their_own():
    collection = small.with_qrels("q1 d1 3, q1 d2 1")
    pooling.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)
    assert raters.read_grades(collection, raters.find_rater(collection, "dropped")) == {("q1", "d1"): 3}
    assert raters.read_grades(collection, raters.find_rater(collection, "reference")) == {("q1", "d2"): 1}


def test_decisions_are_a_rater_and_blind_those_made_without_a_suggestion_in_view():
    collection, pairs = factories.make_judged([2, 1, 3], [0, 1, 1])
    adjudicator = factories.make_adjudicator(collection)
    assert "adjudicated" not in names(collection)
    factories.adjudicate(adjudicator, pairs[0], None)
    assert "adjudicated" not in names(collection)
    factories.adjudicate(adjudicator, pairs[1], 3)
    factories.make_suggestions(collection)
    Collection.objects.filter(pk=collection.pk).update(shows_suggestions_to_adjudicators=True)
    factories.adjudicate(adjudicator, pairs[2], 0)

    assert names(collection)[:2] == ["adjudicated", "people"]
    decided = {("q1", pairs[1].passage_id): 3, ("q1", pairs[2].passage_id): 0}
    assert raters.read_grades(collection, raters.find_rater(collection, "adjudicated")) == decided
    decided.pop(("q1", pairs[2].passage_id))
    assert raters.read_grades(collection, raters.find_rater(collection, "adjudicated:blind")) == decided
    assert comparing.compare(collection, "adjudicated", "model-a").first.counted == 1


def test_blind_is_said_of_people_only():
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    factories.make_assessor(collection)
    for name in ("people:blind", "assessor-1:blind"):
        assert raters.find_rater(collection, name).is_blind
        assert raters.find_rater(collection, name).address == name
    with pytest.raises(raters.NoSuchRater, match="'gpt:blind'"):
        raters.find_rater(collection, "gpt:blind")


def test_a_stranger_is_refused_and_told_who_there_is():
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    with pytest.raises(raters.NoSuchRater, match="'nobody' .* nist, dropped, adjudicated, people, gpt"):
        raters.find_rater(collection, "nobody")


def test_raters_of_another_collection_are_strangers():
    small.with_qrels("q1 d1 3", "q1 d1 2")
    with pytest.raises(raters.NoSuchRater):
        raters.find_rater(factories.make_collection(), "gpt")


def test_answers_off_the_scale_are_counted():
    collection = small.with_qrels("q1 d1 3", "q1 d1 7, q1 d2 2")
    assert raters.count_answers_without_grade(raters.find_rater(collection, "gpt")) == 1
    assert raters.count_answers_without_grade(raters.find_rater(collection, "nist")) == 0


@pytest.mark.postgresql
def test_that_an_answer_without_a_grade_counts_as_the_lowest_is_a_choice_of_the_analysis():
    collection = small.with_qrels("q1 d1 3", "q1 d1 7, q1 d2 2")
    counted = raters.find_rater(collection, "gpt:unanswered-lowest")
    assert raters.read_grades(collection, counted) == {("q1", "d1"): 0, ("q1", "d2"): 2}
    assert raters.read_grades(collection, raters.find_rater(collection, "gpt")) == {("q1", "d2"): 2}
    assert raters.count_answers_without_grade(counted) == 0
    assert counted.words == "gpt, no grade counted as the lowest"
    assert not Suggestion.objects.filter(grade=0).exists()


def test_only_a_models_answers_can_count_so():
    collection = small.with_qrels("q1 d1 3", "q1 d1 7")
    with pytest.raises(raters.NoSuchRater):
        raters.find_rater(collection, "nist:unanswered-lowest")


def test_the_choice_is_offered_for_models_with_answers_that_are_no_grade():
    collection = small.with_qrels("q1 d1 3", "q1 d1 7, q1 d2 2")
    form = AgreementForm(raters.list_raters(collection), {})
    addresses = [address for address, _ in form.fields["first"].widget.choices]
    assert "gpt:unanswered-lowest" in addresses
    assert "nist:unanswered-lowest" not in addresses
