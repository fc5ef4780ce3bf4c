import pytest

from annotate.operations import hole_drawing
from evaluation.queries import raters
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


def names(collection):
    return [rater.name for rater in raters.listed(collection)]


def test_only_those_with_grades_are_listed():
    collection = factories.make_holes(factories.make_collection())
    assert names(collection) == []
    factories.import_qrels(collection, small.lines("q1 d1.1 2, q1 d9 1"))
    factories.make_suggestions(collection)
    assert names(collection) == ["nist", "model-a"]
    hole_drawing.draw_holes(collection=collection, fraction=1, chosen=[1], seed=1, by=None, now=NOW)
    factories.make_assessor(collection)
    factories.judge(factories.make_assessor(collection))
    assert names(collection) == ["nist", "dropped", "people", "assessor-2", "model-a"]


def test_the_reference_goes_by_its_role_and_by_its_name():
    collection = small.with_qrels("q1 d1 3, q1 d2 1")
    factories.import_qrels(collection, small.lines("q1 d1 0"), rater="second")
    assert raters.named(collection, "reference") == raters.named(collection, "nist")
    assert raters.grades(collection, raters.named(collection, "second")) == {("q1", "d1"): 0}


def test_dropped_grades_are_a_rater_of_their_own():
    collection = small.with_qrels("q1 d1 3, q1 d2 1")
    hole_drawing.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)
    assert raters.grades(collection, raters.named(collection, "dropped")) == {("q1", "d1"): 3}
    assert raters.grades(collection, raters.named(collection, "reference")) == {("q1", "d2"): 1}


def test_blind_is_said_of_people_only():
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    factories.make_assessor(collection)
    for name in ("people:blind", "assessor-1:blind"):
        assert raters.named(collection, name).is_blind
        assert raters.named(collection, name).address == name
    with pytest.raises(raters.NoSuchRater, match="'gpt:blind'"):
        raters.named(collection, "gpt:blind")


def test_a_stranger_is_refused_and_told_who_there_is():
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    with pytest.raises(raters.NoSuchRater, match="'nobody' .* nist, dropped, people, gpt"):
        raters.named(collection, "nobody")


def test_raters_of_another_collection_are_strangers():
    small.with_qrels("q1 d1 3", "q1 d1 2")
    with pytest.raises(raters.NoSuchRater):
        raters.named(factories.make_collection(), "gpt")


def test_answers_off_the_scale_are_counted():
    collection = small.with_qrels("q1 d1 3", "q1 d1 7, q1 d2 2")
    assert raters.answers_without_grade(raters.named(collection, "gpt")) == 1
    assert raters.answers_without_grade(raters.named(collection, "nist")) == 0
