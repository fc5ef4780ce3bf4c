"""Whose grades count as people's: blind ones, decisions, consensus."""

import pytest

from annotate.collections import queries as collections_queries
from annotate.grades import model_raters, ratings
from annotate.models import ImportedFile, Judgment, Suggestion
from tests import factories


@pytest.fixture
def judged(db):
    """Two pairs, two people: alike on the first, apart on the second."""
    return factories.make_judged([1, 0], [1, 2])


def test_calibration_pairs_are_left_out_of_blind_grades_alone(judged):
    collection, (first, _) = judged
    Judgment.objects.filter(pair=first).update(is_calibration=True)
    pair = ("q1", first.passage_id)

    assert pair in ratings.consensus_grades(collection) and pair not in ratings.consensus_grades(collection, blind=True)
    for grades in ratings.assessor_grades(collection, blind=True).values():
        assert len(grades) == 1 and pair not in grades


def test_decisions_are_a_source_of_their_own(judged):
    collection, (first, second) = judged
    adjudicator = factories.make_adjudicator(collection)
    factories.adjudicate(adjudicator, first, None)
    factories.adjudicate(adjudicator, second, 2)

    assert ratings.decisions(collection) == {("q1", first.passage_id): None, ("q1", second.passage_id): 2}
    assert ratings.adjudicated_grades(collection) == {("q1", second.passage_id): 2}
    assert ratings.consensus_grades(collection) == {("q1", first.passage_id): 1}


def test_under_adjudicated_only_people_s_grades_are_the_decisions_and_none_is_blind(judged):
    collection, (_, second) = judged
    factories.adjudicate(factories.make_adjudicator(collection), second, 2)

    assert ratings.consensus_grades(collection, "ADJUDICATED") == {("q1", second.passage_id): 2}
    assert ratings.consensus_grades(collection, "ADJUDICATED", blind=True) == {}


def test_a_model_s_opinion_is_its_probabilities_else_its_votes_else_its_grade(db):
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=3)
    model = factories.make_suggestions(collection, grade=1)
    rows = Suggestion.objects.filter(rater=model)
    rows.filter(pair__passage_id="d1.1").update(probabilities=[0.1, 0.9, 0, 0], votes=[0, 1, 0, 0])
    rows.filter(pair__passage_id="d1.2").update(votes=[0.2, 0.8, 0, 0])

    said = {("q1", "d1.1"): [0.1, 0.9, 0, 0], ("q1", "d1.2"): [0.2, 0.8, 0, 0], ("q1", "d1.3"): 1}
    assert ratings.model_labels(model) == said
    assert ratings.model_probabilities(model) == {("q1", "d1.1"): [0.1, 0.9, 0, 0]}


def test_who_scores_gets_the_chances_that_are_meant_for_scoring(db):
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=2)
    model = factories.make_suggestions(collection, grade=1)
    rows = Suggestion.objects.filter(rater=model)
    before = ratings.digest_model(model).digest
    rows.update(probabilities=[0, 1, 0, 0])
    rows.filter(pair__passage_id="d1.1").update(for_scoring=[0.5, 0.5, 0, 0])

    assert ratings.model_probabilities(model) == {("q1", "d1.1"): [0.5, 0.5, 0, 0], ("q1", "d1.2"): [0, 1, 0, 0]}
    of_both = ratings.digest_model(model).digest
    rows.update(for_scoring=None)
    assert len({before, of_both, ratings.digest_model(model).digest}) == 3


@pytest.mark.parametrize("state", [state for state in ImportedFile.State.values if state != "PUBLISHED"])
def test_what_a_file_says_that_is_not_published_is_seen_nowhere(db, state):
    collection = factories.make_holes(factories.make_collection(share_hidden=0, share_shown=100))
    model = factories.make_suggestions(collection, grade=1)
    pairs = len(ratings.model_grades(model))
    assert ratings.digest_model(model).grades == pairs > 0
    ImportedFile.objects.filter(suggestions__rater=model).update(state=state)
    assert ratings.model_grades(model) == {}
    assert ratings.digest_model(model).grades == 0
    assert [each.graded for each in model_raters.compare_models(collection, factories.NOW)] == [0]
    assert collections_queries.count_facts(collection).holes_suggested == 0
    assert factories.claim(factories.make_assessor(collection)).suggestion is None
