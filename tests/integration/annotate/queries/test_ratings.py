"""Whose grades count as people's: blind ones, decisions, consensus."""

import pytest

from annotate.models import Judgment
from annotate.queries import ratings
from tests import factories


@pytest.fixture
def judged(db):
    """Two pairs, two people: alike on the first, apart on the second."""
    return factories.make_judged([1, 0], [1, 2])


def test_calibration_pairs_are_left_out_of_blind_grades_alone(judged):
    collection, (first, _) = judged
    Judgment.objects.filter(pair=first).update(is_calibration=True)
    pair = ("q1", first.passage_id)

    assert pair in ratings.people(collection) and pair not in ratings.people(collection, blind=True)
    for grades in ratings.by_assessor(collection, blind=True).values():
        assert len(grades) == 1 and pair not in grades


def test_decisions_are_a_source_of_their_own(judged):
    collection, (first, second) = judged
    adjudicator = factories.make_adjudicator(collection)
    factories.adjudicate(adjudicator, first, None)
    factories.adjudicate(adjudicator, second, 2)

    assert ratings.decisions(collection) == {("q1", first.passage_id): None, ("q1", second.passage_id): 2}
    assert ratings.adjudicated(collection) == {("q1", second.passage_id): 2}
    assert ratings.people(collection) == {("q1", first.passage_id): 1}


def test_under_adjudicated_only_people_s_grades_are_the_decisions_and_none_is_blind(judged):
    collection, (_, second) = judged
    factories.adjudicate(factories.make_adjudicator(collection), second, 2)

    assert ratings.people(collection, "ADJUDICATED") == {("q1", second.passage_id): 2}
    assert ratings.people(collection, "ADJUDICATED", blind=True) == {}
