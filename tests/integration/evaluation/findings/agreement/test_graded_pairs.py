import pytest

from evaluation.findings.agreement import agreement, graded_pairs
from evaluation.findings.agreement.graded_pairs import GradedPair, Statement
from evaluation.inputs import raters
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


def sides(collection, first="nist", second="gpt"):
    return agreement.make_sides(raters.find_rater(collection, first), raters.find_rater(collection, second))


def test_the_pairs_of_a_cell_are_those_with_both_grades():
    collection = small.with_qrels("q1 a 0, q1 b 0, q2 a 0, q2 b 3, q2 c -2", "q1 a 1, q1 b 1, q2 a 1, q2 b 1, q2 c 1")
    both = sides(collection)
    assert graded_pairs.list_pairs(collection, both, first=0, second=1, query_id="q1") == [
        GradedPair("q1", "a", 0, 1),
        GradedPair("q1", "b", 0, 1),
    ]
    assert len(graded_pairs.list_pairs(collection, both, first=0)) == 3
    assert [pair.difference for pair in graded_pairs.list_pairs(collection, both, query_id="q2")] == [1, -2]
    assert graded_pairs.list_pairs(collection, both, first=1) == []


def test_a_pair_comes_with_texts_the_models_reason_and_what_people_wrote():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    factories.make_suggestions(collection, grade=1, reason="it names the query")
    factories.judge(factories.make_assessor(collection), 2, comment="too short")
    both = sides(collection, "people", "model-a")
    (told,) = graded_pairs.describe_pairs(collection, both, graded_pairs.list_pairs(collection, both))
    assert (told.query, told.text) == ("what is q1", "the passage d1.1 tells of q1")
    assert told.statements == [Statement("assessor-1", 2, "too short"), Statement("model-a", 1, "it names the query")]


def test_without_imported_texts_the_pair_is_still_told():
    collection = small.with_qrels("q1 a 0", "q1 a 1")
    (told,) = graded_pairs.describe_pairs(
        collection, sides(collection), graded_pairs.list_pairs(collection, sides(collection))
    )
    assert (told.query, told.title, told.text) == ("first topic", "", "")
    assert told.statements == [Statement("gpt", 1, "")]


def test_a_grade_given_before_a_reveal_is_the_one_that_is_told_beside_a_model():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    factories.make_suggestions(collection, grade=1)
    small.show_suggestions(collection, reveal=1)
    assessor = factories.make_assessor(collection)
    small.decide(assessor, factories.judge(assessor, 3), 1)
    both = sides(collection, "people", "model-a")
    (told,) = graded_pairs.describe_pairs(collection, both, graded_pairs.list_pairs(collection, both))
    assert (told.pair.first, told.statements[0]) == (3, Statement("assessor-1", 3, ""))
