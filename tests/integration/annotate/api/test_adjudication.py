"""Adjudicating by program: the queue, one pair, the decision."""

import uuid

import pytest

from annotate.models import Adjudication, Collection, Judgment, Pair
from annotate.rules import permissions
from tests import factories
from tests.api_caller import Caller


@pytest.fixture
def collection(db) -> Collection:
    """Three pairs: alike, spread 2 (unresolved), nobody could judge."""
    return factories.make_judged([1, 0, None], [1, 2, None])[0]


@pytest.fixture
def pair(collection) -> Pair:
    return Pair.objects.select_related("topic").get(spread=2)


@pytest.fixture
def caller(collection) -> Caller:
    return Caller(factories.make_adjudicator(collection).user, collection)


def decide(caller: Caller, pair: Pair, key: uuid.UUID | None = None, **said: object):
    shown = caller.get(f"adjudication/{pair.pk}/").json()["shown"]
    body = {"shown": shown, "grade": 1, "reason": "the middle", **said}
    return caller.post(f"adjudication/{pair.pk}/", body, key or uuid.uuid4())


def test_the_queue_has_the_pairs_in_order_with_their_grades(caller, pair):
    told = caller.get("adjudication/").json()

    assert told["counts"] == {"waiting": 2, "unresolved": 2, "different": 0, "flagged": 0, "decided": 0}
    first, second = told["waiting"]
    assert first == {"pair": pair.pk, "query_id": "q1", "passage_id": pair.passage_id, "spread": 2, "grades": [2, 0]}
    assert second["grades"] == [None, None]


def test_a_pair_comes_with_all_that_people_said_and_no_name(caller, pair):
    Judgment.objects.filter(pair=pair, grade=2).update(comment="so it is", is_unsure=True)
    answer = caller.get(f"adjudication/{pair.pk}/")
    told = answer.json()

    assert told["pair"]["passage_id"] == pair.passage_id
    assert told["pair"]["suggestion"] is None and told["decisions"] == [] and told["has_judged"] is False
    assert told["said"] == [
        {"letter": "A", "name": "", "grade": 0, "is_unsure": False, "comment": "", "reason": ""},
        {"letter": "B", "name": "", "grade": 2, "is_unsure": True, "comment": "so it is", "reason": ""},
    ]
    for judgment in Judgment.objects.select_related("assessor__user"):
        assert judgment.assessor.user.username not in answer.content.decode()
        assert judgment.assessor.pseudonym not in answer.content.decode()


@pytest.mark.postgresql
def test_a_decision_is_stored_once_however_often_it_is_sent(caller, pair):
    key, shown = uuid.uuid4(), caller.get(f"adjudication/{pair.pk}/").json()["shown"]
    body = {"shown": shown, "grade": 1, "reason": "the middle"}
    first = caller.post(f"adjudication/{pair.pk}/", body, key)
    second = caller.post(f"adjudication/{pair.pk}/", body, key)

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert first.json()["adjudicator"] == "adjudicator-1"
    assert Adjudication.objects.get().grade == 1
    assert caller.get("adjudication/", show="decided").json()["decisions"] == [first.json()]


def test_nobody_can_judge_is_a_null(caller, pair):
    assert decide(caller, pair, grade=None).json()["grade"] is None


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"grade": 9}, "grade"),
        ({"grade": "x"}, "grade"),
        ({"reason": " "}, "reason"),
        ({"reason": "a\0b"}, "reason"),
        ({"shown": "abc"}, "shown"),
    ],
)
def test_what_is_wrong_is_named(caller, pair, said, place):
    answer = decide(caller, pair, **said)

    assert answer.status_code == 400
    assert answer.json()["faults"][0]["place"] == place
    assert not Adjudication.objects.exists()


def test_a_decision_without_a_key_is_refused(caller, pair):
    shown = caller.get(f"adjudication/{pair.pk}/").json()["shown"]
    answer = caller.post(f"adjudication/{pair.pk}/", {"shown": shown, "grade": 1, "reason": "so"})

    assert answer.status_code == 400
    assert answer.json()["faults"] == [{"place": "Idempotency-Key", "reason": "missing"}]


def test_a_decision_that_was_not_seen_is_a_conflict_and_comes_with_it(caller, pair, collection):
    shown = caller.get(f"adjudication/{pair.pk}/").json()["shown"]
    factories.adjudicate(factories.make_adjudicator(collection), pair, 2, reason="theirs")
    answer = decide(caller, pair, shown=shown)

    assert answer.status_code == 409
    assert answer.json()["decision"]["reason"] == "theirs"


def test_a_pair_that_is_not_there_or_not_to_be_seen(caller, pair, collection):
    judged = Judgment.objects.filter(pair=pair).first().assessor
    assessor = factories.people.add_member(
        collection=collection, user=judged.user, role="ADJUDICATOR", now=factories.NOW
    )

    assert caller.get("adjudication/987654/").status_code == 404
    refused = Caller(assessor.user, collection).get(f"adjudication/{pair.pk}/")
    assert refused.status_code == 403
    assert permissions.JUDGED_YOURSELF in refused.json()["detail"]
