"""Many people who save in the same moment: every acknowledged judgment is a row, once, and nobody sees a fault."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from annotate.judging.operations import judgments, turns
from annotate.models import Judgment, Pair
from tests import at_once, factories, visitors
from tests.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS, SAVES = 10, 10
LATE = NOW + timedelta(hours=12)


def save_all(assessor):
    """Judge as the page does, each save leading to the next pair; returns the judgments that were acknowledged."""
    turn, saved = turns.begin(assessor=assessor, now=NOW), []
    who = {"by": assessor.user, "slug": assessor.collection.slug}
    for _ in range(SAVES):
        token, answer = turn.claim.token, judgments.Answer(grade=2)
        turn = turns.save(**who, token=token, key=uuid.uuid4(), answer=answer, now=NOW)
        saved.append(turn.saved.pk)
    return saved


def submit(claim):
    answer = judgments.Answer(grade=2)
    return factories.save(assessor=claim.assessor, token=claim.token, key=uuid.uuid4(), answer=answer, now=LATE)


def test_every_save_of_ten_people_is_stored_once():
    # More pairs than are judged: who has done all saves holds one that the others do not get.
    collection = factories.make_holes(factories.make_collection(), topics=WRITERS + 1, passages=SAVES)
    factories.build_pool(collection, depth=SAVES)
    saved, faults = at_once.run(save_all, [factories.make_assessor(collection) for _ in range(WRITERS)])
    assert not faults
    acknowledged = [pk for one in saved for pk in one]
    assert sorted(acknowledged) == list(Judgment.objects.order_by("pk").values_list("pk", flat=True))
    assert len(acknowledged) == Pair.objects.filter(counted=1).count() == WRITERS * SAVES


def test_of_fifteen_people_who_submit_one_pair_at_once_one_meets_the_target_and_the_others_are_extra():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    # Each claim has run out before the next person comes.
    claims = [
        factories.claim(factories.make_assessor(collection), NOW + timedelta(minutes=31 * turn)) for turn in range(15)
    ]
    saved, faults = at_once.run(submit, claims)
    assert not faults
    assert len({judgment.pk for judgment in saved}) == Judgment.objects.count() == 15
    assert Judgment.objects.filter(is_extra=True).count() == 14
    assert (Pair.objects.get().target, Pair.objects.get().counted) == (1, 1)


def test_fifteen_submits_of_one_person_are_one_judgment():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    claim = factories.claim(factories.make_assessor(collection))
    saved, faults = at_once.run(submit, [claim] * 15)
    assert not faults
    assert {judgment.pk for judgment in saved} == {Judgment.objects.get().pk}
    assert not Judgment.objects.get().is_extra


def test_fifteen_pages_that_send_in_the_same_moment_see_no_fault():
    """Of fifteen people one pair, and of one person fifteen tabs: each is answered, no judgment is there twice."""
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    claims = [
        factories.claim(factories.make_assessor(collection), NOW + timedelta(minutes=31 * turn)) for turn in range(15)
    ]
    visitors_of = {claim.assessor_id: visitors.of(claim.assessor.user) for claim in claims}

    def send(claim):
        said = {"token": claim.token, "key": uuid.uuid4(), "grade": 2}
        address = reverse("save_judgment", args=[collection.slug])
        return visitors_of[claim.assessor_id].post(address, said, HTTP_HX_REQUEST="true").status_code

    answers, faults = at_once.run(send, [*claims, *[claims[0]] * 14])
    assert not faults
    assert set(answers) == {200}
    assert Judgment.objects.count() == 15
    assert Judgment.objects.filter(is_extra=True).count() == 14
