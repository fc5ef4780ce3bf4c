"""Pairs that are taken away from people for a reason, and given back."""

import uuid

import pytest
from django.db import IntegrityError

from annotate.draws.operations import changes
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.judging.operations import judgments
from annotate.models import Claim
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(), topics=1, passages=3)


def named(*names):
    return [NamedPair(line, "q1", name) for line, name in enumerate(names, start=1)]


def withdraw(collection, *names, reason="the text is cut off"):
    done = changes.withdraw_pairs(collection=collection, named=named(*names), reason=reason, now=NOW)
    collection.refresh_from_db()
    return done


def restore(collection, *names):
    done = changes.restore_pairs(collection=collection, named=named(*names), now=NOW)
    collection.refresh_from_db()
    return done


def test_nobody_is_asked_about_a_withdrawn_pair_until_it_is_restored(collection):
    assert withdraw(collection, "d1.1", "d1.2") == changes.Changed(changed=2, unchanged=0, drawn=0)
    assert (collection.pairs_wanted, collection.pairs_open, collection.frame_version) == (1, 1, 2)
    assert factories.claim(factories.make_assessor(collection)).pair.passage_id == "d1.3"
    assert restore(collection, "d1.1", "d1.3") == changes.Changed(changed=1, unchanged=1, drawn=0)
    assert (collection.pairs_wanted, collection.frame_version) == (2, 3)
    assert collection.pairs.get(passage_id="d1.1").withdrawn_reason == ""


def test_who_holds_a_pair_that_was_never_withdrawn_keeps_it_when_it_is_restored(collection):
    assessor = factories.make_assessor(collection)
    held = factories.claim(assessor)
    assert restore(collection, held.pair.passage_id).unchanged == 1
    held.refresh_from_db()
    assert held.state == Claim.State.OPEN
    assert factories.claim(assessor) == held


def test_the_first_reason_stays(collection):
    withdraw(collection, "d1.1", reason="  torn ")
    assert withdraw(collection, "d1.1", reason="other").unchanged == 1
    assert collection.pairs.get(passage_id="d1.1").withdrawn_reason == "torn"
    assert collection.frame_version == 2


@pytest.mark.postgresql
def test_a_held_card_ends_and_a_grade_that_comes_anyway_is_kept_and_marked_extra(collection):
    assessor = factories.make_assessor(collection)
    held = factories.claim(assessor)
    withdraw(collection, held.pair.passage_id)
    held.refresh_from_db()
    assert (held.state, held.closed_at) == (Claim.State.EXPIRED, NOW)
    assert factories.claim(assessor).pair != held.pair
    late = factories.save(
        assessor=assessor, token=held.token, key=uuid.uuid4(), answer=judgments.Answer(grade=2), now=NOW
    )
    assert (late.grade, late.is_extra) == (2, True)
    collection.refresh_from_db()
    assert (collection.pairs_wanted, collection.pairs_open) == (2, 2)


def test_judgments_of_a_withdrawn_pair_are_kept_and_count_again_once_it_is_restored(collection):
    judged = factories.judge(factories.make_assessor(collection))
    withdraw(collection, judged.pair.passage_id)
    assert (collection.pairs_wanted, collection.pairs_open) == (2, 2)
    restore(collection, judged.pair.passage_id)
    assert (collection.pairs_wanted, collection.pairs_open) == (3, 2)


@pytest.mark.postgresql
def test_without_a_reason_nothing_is_withdrawn(collection):
    with pytest.raises(changes.NoReason, match="Say why"):
        withdraw(collection, "d1.1", reason=" ")
    with pytest.raises(IntegrityError):
        collection.pairs.filter(passage_id="d1.1").update(is_withdrawn=True)


@pytest.mark.postgresql
def test_a_reason_without_a_withdrawal_is_refused_by_the_database(collection):
    with pytest.raises(IntegrityError):
        collection.pairs.filter(passage_id="d1.1").update(withdrawn_reason="torn")


def test_pairs_that_are_not_pooled_are_named_and_nothing_changes(collection):
    with pytest.raises(FileRefused, match="line 2: passage 'd9' of topic 'q1' is not in the pool"):
        withdraw(collection, "d1.1", "d9")
    assert not collection.pairs.filter(is_withdrawn=True).exists()


def test_a_withdrawn_pair_is_not_added_again(collection):
    withdraw(collection, "d1.1")
    with pytest.raises(FileRefused, match="is withdrawn; restore it instead"):
        changes.add_pairs(collection=collection, named=named("d1.1"))
