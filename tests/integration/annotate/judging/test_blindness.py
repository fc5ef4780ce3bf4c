"""Blind means blind: before the grade is stored no byte of any answer depends on a suggestion, and none tells why a
pair came."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Claim, Collection, Judgment, Pair
from annotate.pairs import pair_states
from annotate.pairs import refresh as pair_claims
from tests import factories, visitors

HTMX = {"HTTP_HX_REQUEST": "true"}
SHARES = ("share_hidden", "share_shown", "share_reveal")
# New with each answer: keys and tokens, CSRF tokens, times.
CHANGING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{64}|\d{4}-\d\d-\d\dT[\d:.+]+Z?")


def all_in(arm):
    Collection.objects.update(**{**dict.fromkeys(SHARES, 0), f"share_{arm}": 100})


def hold_any(collection, assessor):
    return factories.claim(assessor, timezone.now())


def hold_calibration(collection, assessor):
    factories.import_qrels(collection, "".join(f"q1 0 d1.{n} 2\n" for n in (1, 2, 3)))
    Pair.objects.update(is_calibration=True)
    pair_states.refresh(collection=collection, pairs=list(Pair.objects.all()))
    return hold_any(collection, assessor)


def hold_repeat(collection, assessor):
    Collection.objects.update(share_repeated=100, repeat_distance=1)
    for _ in range(2):
        factories.judge(assessor, now=timezone.now() - timedelta(minutes=5))
    return hold_any(collection, assessor)


HELD = {"any": hold_any, "calibration": hold_calibration, "repeat": hold_repeat}


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection("here"), topics=1, passages=3)


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


def told(assessor):
    """All that the page, its fragment and the API answer, with their headers, but for what is new each time."""
    visitor = visitors.of(assessor.user)
    page = reverse("judge", args=["here"])
    answers = [
        visitor.get(page),
        visitor.get(page, **HTMX),
        visitor.post(reverse("api_next", args=["here"])),
        visitor.get(reverse("api_progress", args=["here"])),
        visitor.get(reverse("history", args=["here"])),
        visitor.get("/"),
    ]
    assert {answer.status_code for answer in answers} == {200}
    return [(CHANGING.sub("", answer.content.decode()), headers(answer)) for answer in answers]


def headers(answer):
    return {name: value for name, value in answer.headers.items() if name not in ("Expires", "Set-Cookie")}


@pytest.mark.parametrize(
    ("kind", "arm"),
    [
        ("any", "hidden"),
        ("any", "reveal"),
        ("calibration", "hidden"),
        ("calibration", "shown"),
        ("calibration", "reveal"),
        ("repeat", "hidden"),
        ("repeat", "shown"),
        ("repeat", "reveal"),
    ],
)
def test_no_byte_tells_whether_there_is_a_suggestion(collection, assessor, kind, arm):
    all_in(arm)
    held = HELD[kind](collection, assessor)
    assert (held.is_calibration, held.round) == (kind == "calibration", 2 if kind == "repeat" else 1)
    without = told(assessor)
    factories.make_suggestions(collection, grade=1, reason="tells too much")
    assert told(assessor) == without

    # Nor does it where the pair is given anew.
    pair_claims.release_claims(assessor=assessor, now=timezone.now())
    assert hold_any(collection, assessor).pair_id == held.pair_id
    assert told(assessor) == without


@pytest.mark.parametrize("kind", ["calibration", "repeat"])
def test_no_byte_tells_that_a_pair_measures_the_person(collection, assessor, kind):
    all_in("hidden")
    held = HELD[kind](collection, assessor)
    told_of_it = told(assessor)
    Claim.objects.filter(pk=held.pk).update(round=1, is_calibration=False)
    assert told(assessor) == told_of_it


@pytest.mark.parametrize("arm", ["shown", "reveal"])
@pytest.mark.parametrize("kind", ["calibration", "repeat"])
def test_after_its_grade_nothing_is_revealed_either(collection, assessor, kind, arm):
    all_in(arm)
    held = HELD[kind](collection, assessor)
    factories.make_suggestions(collection, grade=1, reason="tells too much")
    visitor = visitors.of(assessor.user)
    said = {"token": held.token, "key": held.token, "grade": "2"}
    visitor.post(reverse("save_judgment", args=["here"]), said, **HTMX)
    judgment = Judgment.objects.get(claim=held)
    assert (judgment.suggestion, judgment.revealed_at, judgment.is_suggestion_seen) == (None, None, False)
    reopened = visitor.get(reverse("reopen", args=["here", judgment.pk]))
    assert b"tells too much" not in reopened.content and b"model-a" not in reopened.content


def test_the_card_of_a_repeat_is_that_of_a_pair_that_was_never_seen(collection, assessor):
    held = hold_repeat(collection, assessor)
    first = Judgment.objects.get(pair=held.pair)
    Judgment.objects.filter(pk=first.pk).update(comment="my very own words", is_unsure=True)
    page = visitors.of(assessor.user).get(reverse("judge", args=["here"])).content.decode()
    assert "my very own words" not in page
    assert " checked" not in page
    assert "judged this pair before" not in page
