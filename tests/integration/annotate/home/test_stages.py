"""The stage of adjudication in a collection's line of stages."""

import pytest

from annotate.adjudication import queries as adjudication_queries
from annotate.collections import queries as collections_queries
from annotate.home import queries as home_queries
from annotate.models import Pair
from tests import factories


def stage(collection) -> home_queries.Stage:
    collection.refresh_from_db()
    facts, disputes = collections_queries.count_facts(collection), adjudication_queries.count_disputes(collection)
    found = home_queries.list_stages(collection, facts, disputes)
    assert [each.name for each in found][3:6] == ["Judging", "Adjudication", "Agreement"]
    return found[4]


@pytest.fixture
def collection(db):
    """Two pairs that two people disagree about."""
    return factories.make_judged([0, 1], [2, 3])[0]


# Fault 21: "done" after the first pair that somebody settled.
def test_it_is_done_only_when_no_disagreement_is_open(collection):
    adjudicator = factories.make_adjudicator(collection)
    first, second = Pair.objects.filter(collection=collection)
    assert (stage(collection).state, stage(collection).is_next) == ("to do", True)
    assert stage(collection).counts == ("2 pairs to settle", "2 of them unresolved")

    factories.adjudicate(adjudicator, first, 1)
    assert stage(collection).state == "to do"
    assert stage(collection).counts == ("1 pair to settle", "1 of them unresolved", "1 decision in force")

    factories.adjudicate(adjudicator, second, 2)
    assert (stage(collection).state, stage(collection).is_next) == ("done", False)


def test_it_is_not_done_while_pairs_lack_judgments(db):
    collection = factories.make_holes(factories.make_collection(target=2))
    assert stage(collection).state == "later"
    factories.judge(factories.make_assessor(collection))
    assert stage(collection).state == "later"


@pytest.mark.postgresql
def test_new_evidence_opens_it_again(collection):
    adjudicator = factories.make_adjudicator(collection)
    for pair in Pair.objects.filter(collection=collection):
        factories.adjudicate(adjudicator, pair, 1)
    factories.judge_once_more(pair, 0)

    assert stage(collection).state == "to do"
