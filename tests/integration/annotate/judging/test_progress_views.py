"""What a researcher watches while people judge."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.judging.operations import judgments, turns
from annotate.models import Claim, Collection, Membership
from tests import factories, visitors


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=3)


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def look(visitor):
    return visitor.get(reverse("judging_progress", args=["here"]))


def test_it_shows_pairs_and_each_assessor_and_asks_again_while_pairs_are_open(visitor, collection):
    factories.judge(factories.make_assessor(collection, "ann"))
    answer = look(visitor)

    assert "1 of 6 pairs have the judgments that are wanted" in visitors.words(answer)
    assert "ann assessor-1 1 0" in visitors.words(answer)
    assert 'hx-trigger="every 10s"' in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_it_stops_asking_when_everything_is_judged(visitor, collection):
    assessor = factories.make_assessor(collection)
    for _ in range(6):
        factories.judge(assessor)
    answer = look(visitor)

    assert "hx-trigger" not in answer.content.decode()
    assert "6 of 6 pairs" in visitors.words(answer)
    assert "Nothing is left to judge." in visitors.words(answer)


def test_each_topic_has_its_own_bar(visitor, collection):
    assessor = factories.make_assessor(collection)
    for _ in range(4):
        factories.judge(assessor)
    live = look(visitor).context["live"]

    assert sorted((topic.done, topic.wanted) for topic in live.topics) == [(1, 3), (3, 3)]
    assert {topic.query_id for topic in live.topics} == {"q1", "q2"}
    assert live.topics_done == 1


def test_judgments_are_counted_by_arm_beside_the_share_that_was_set(visitor, collection):
    Collection.objects.update(share_hidden=0, share_shown=60, share_reveal=40)
    assessor = factories.make_assessor(collection)
    for _ in range(6):
        factories.judge(assessor)
    live = look(visitor).context["live"]

    assert [(arm.name, arm.share) for arm in live.arms] == [
        ("suggestion shown first", 60),
        ("suggestion revealed after the save", 40),
    ]
    assert sum(arm.judged for arm in live.arms) == 6


def test_what_people_hold_is_told_and_what_ran_out_is_not(visitor, collection):
    ann, bob = factories.make_assessor(collection, "ann"), factories.make_assessor(collection, "bob")
    now = timezone.now()
    factories.claim(ann, now)
    factories.claim(bob, now - timedelta(days=1))
    live = look(visitor).context["live"]

    held = {each.membership.pk: each.holds_until for each in live.assessors}
    assert held == {ann.pk: Claim.objects.get(assessor=ann).expires_at, bob.pk: None}
    assert "1 pair is in front of people now." in visitors.words(look(visitor))


def test_what_is_left_counts_every_judgment_that_a_target_still_wants_and_a_change_is_no_new_one(visitor, collection):
    now = timezone.now()
    ann = factories.make_assessor(collection)
    judged = factories.judge(ann, now=now)
    turns.change(
        assessor=ann,
        judgment_id=judged.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=0),
        now=now,
        claims_next=False,
    )
    factories.judge(ann, now=now - timedelta(hours=25))

    assert "4 judgments are still wanted, 1 made in the last 24 hours" in visitors.words(look(visitor))


def test_no_column_tells_how_fast_anybody_is_and_nobody_is_ranked(visitor, collection):
    slow, fast = factories.make_assessor(collection), factories.make_assessor(collection)
    for _ in range(3):
        factories.judge(fast, visible_ms=100)
    factories.judge(slow, visible_ms=90_000)
    answer = look(visitor)

    assert [each.membership.pk for each in answer.context["live"].assessors] == [slow.pk, fast.pk]
    assert not {"second", "minute", "fast", "speed"} & set(visitors.words(answer).casefold().split())


def test_who_left_is_last_and_said_to_have_left(visitor, collection):
    left, there = factories.make_assessor(collection), factories.make_assessor(collection)
    Membership.objects.filter(pk=left.pk).update(is_active=False)

    assert [each.membership.pk for each in look(visitor).context["live"].assessors] == [there.pk, left.pk]


def test_judging_is_paused_and_opened_again(visitor, collection):
    where = reverse("pause_judging", args=["here"])
    paused = visitor.post(where, {"is_paused": "1"}, follow=True)
    assert "Judging is paused: nobody gets a pair" in visitors.words(paused)
    assert "Judging is paused" in visitors.words(visitors.assessor(collection).get(reverse("judge", args=["here"])))

    opened = visitor.post(where, {"is_paused": ""}, follow=True)

    assert "Judging is open." in visitors.words(opened)
    collection.refresh_from_db()
    assert not collection.is_paused


@pytest.mark.postgresql
def test_settings_that_are_saved_leave_a_pause_as_it_is(visitor, collection):
    visitor.post(reverse("pause_judging", args=["here"]), {"is_paused": "1"})
    form = visitor.get(reverse("judging_settings", args=["here"])).context["form"]
    said = {name: value for name, value in form.initial.items() if value is not None}
    visitor.post(reverse("judging_settings", args=["here"]), {**said, "target": 2})

    collection.refresh_from_db()
    assert (collection.is_paused, collection.target) == (True, 2)


def test_an_empty_collection_says_what_comes_first(db):
    empty = factories.make_collection()
    answer = visitors.researcher(empty).get(reverse("judging_progress", args=[empty.slug]))

    assert "No pair waits for people: build the pool" in visitors.words(answer)
    assert "hx-trigger" not in answer.content.decode()
