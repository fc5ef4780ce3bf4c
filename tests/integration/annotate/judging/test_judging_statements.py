"""How much the database is asked for a judgment: a bounded number of statements, none of which adds up judgments."""

import html
import re
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.collections.operations import collections
from annotate.models import Adjudication, Backstory, Collection, Judgment, Membership, Pair
from annotate.pairs import pair_states
from tests import factories, visitors
from tests.factories import NOW

HTMX = {"HTTP_HX_REQUEST": "true"}
TRANSACTION = re.compile("BEGIN|SAVEPOINT|RELEASE|COMMIT|ROLLBACK")
AGGREGATE = re.compile(r"\b(COUNT|SUM|AVG|MIN|MAX)\(")
SHARES = ("share_hidden", "share_shown", "share_reveal")
MOST = 16


@pytest.fixture
def collection(db):
    """With all that costs statements: three arms, repeats, backstories, pairs that several judge."""
    arms = dict.fromkeys(SHARES, 1)
    settings = {"share_repeated": 100, "repeat_distance": 1, "share_several": 50, "propagates_duplicates": True}
    collection = factories.make_holes(factories.make_collection("here", **arms, **settings), topics=2, passages=10)
    for topic in collection.topics.all():
        Backstory.objects.create(topic=topic, version=1, text="a need", origin="WRITTEN", created_at=NOW)
    factories.make_suggestions(collection)
    follow(collection)
    return collection


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


@pytest.fixture
def visitor(assessor):
    return visitors.of(assessor.user)


def follow(collection):
    pair_states.refresh(collection=collection, pairs=list(Pair.objects.filter(collection=collection)))


def put_all_in(arm):
    Collection.objects.update(**{**dict.fromkeys(SHARES, 1), f"share_{arm}": 1_000})


def fields(answer):
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: html.unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


@contextmanager
def few_statements():
    with CaptureQueriesContext(connection) as captured:
        yield
    asked = [query["sql"] for query in captured if not TRANSACTION.match(query["sql"])]
    assert len(asked) <= MOST, "\n".join(asked)
    assert not [sql for sql in asked if AGGREGATE.search(sql)]


def save(visitor, said, **more):
    with few_statements():
        answer = visitor.post(reverse("save_judgment", args=["here"]), {**said, "grade": "2", **more}, **HTMX)
    assert answer.status_code == 200
    return answer


def card(visitor):
    with few_statements():
        return fields(visitor.get(reverse("judge", args=["here"])))


def stored():
    return Judgment.objects.select_related("claim").latest("pk")


@pytest.mark.parametrize("arm", ["hidden", "shown", "reveal"])
def test_in_every_arm(visitor, arm):
    put_all_in(arm)
    save(visitor, card(visitor))
    assert stored().arm == arm.upper()


def test_after_a_reveal(visitor):
    put_all_in("reveal")
    save(visitor, card(visitor))
    with few_statements():
        visitor.post(reverse("decide", args=["here", stored().pk]), {"grade": "1"}, **HTMX)
    assert stored().grade == 1


def test_where_the_next_pair_is_a_repeat_and_where_the_last_was_one(visitor):
    put_all_in("hidden")
    for _ in range(2):
        save(visitor, card(visitor))
    save(visitor, card(visitor))
    assert set(Judgment.objects.values_list("round", flat=True)) == {1, 2}


def test_where_pairs_measure_drift(visitor, collection):
    factories.import_qrels(collection, "".join(f"q1 0 d1.{n} 2\n" for n in range(1, 11)))
    Pair.objects.update(is_calibration=True)
    follow(collection)
    put_all_in("shown")
    for _ in range(12):
        save(visitor, card(visitor))
    assert Judgment.objects.filter(is_calibration=True).exists()


def test_where_near_duplicates_follow(visitor, collection):
    put_all_in("shown")
    Collection.objects.update(share_repeated=0)
    [first, *rest] = Pair.objects.filter(topic__query_id="q1").order_by("order_key")
    [other, *more] = Pair.objects.filter(topic__query_id="q2").order_by("order_key")
    Pair.objects.filter(pk__in=[pair.pk for pair in rest]).update(duplicate_of=first)
    Pair.objects.filter(pk__in=[pair.pk for pair in more]).update(duplicate_of=other)
    follow(collection)
    save(visitor, card(visitor))
    pair = stored().pair
    assert set(pair.duplicates.values_list("consensus_grade", flat=True)) == {2}
    assert stored().arm == "SHOWN"


def test_where_the_pair_was_decided_before(visitor, collection):
    put_all_in("hidden")
    said = card(visitor)
    factories.decide(Pair.objects.get(claims__isnull=False), 1)
    save(visitor, said)
    assert Adjudication.objects.get().has_new_evidence


def test_where_the_pair_was_skipped_before(visitor):
    put_all_in("hidden")
    said = card(visitor)
    for _ in range(20):
        with few_statements():
            said = fields(visitor.post(reverse("skip_pair", args=["here"]), said, **HTMX))
    save(visitor, said)
    assert Membership.objects.get(role="ASSESSOR").skipped == 19


def test_a_change_and_what_it_shows(visitor):
    put_all_in("hidden")
    save(visitor, card(visitor))
    with few_statements():
        said = fields(visitor.get(reverse("reopen", args=["here", stored().pk]), **HTMX))
    visitor.post(reverse("change_judgment", args=["here", stored().pk]), {**said, "grade": "1"}, **HTMX)
    assert stored().grade == 1


@pytest.mark.postgresql
def test_settings_are_read_as_they_are_when_the_pair_is_held(visitor, collection):
    said = card(visitor)
    collections.change_judging(collection=collection, changes={"target": 3, "share_several": 0})
    save(visitor, said)
    assert stored().pair.target == 3
