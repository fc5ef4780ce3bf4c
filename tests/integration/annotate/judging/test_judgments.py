"""Recording judgments: durable, once, and with all that must be stored from the first day."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotate.judging.operations import judgments, turns
from annotate.models import Claim, Judgment, Pair
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection())


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


def test_a_judgment_closes_its_hole_and_moves_the_counters(collection, assessor):
    judgment = factories.judge(assessor, 2)
    pair = Pair.objects.get(pk=judgment.pair_id)
    assert (pair.consensus_grade, pair.counted, pair.places_open, pair.is_hole) == (2, 1, 0, False)
    collection.refresh_from_db()
    assessor.refresh_from_db()
    assert (collection.pairs_wanted, collection.pairs_open, assessor.judged) == (6, 5, 1)


def test_it_stores_how_the_pair_was_drawn_and_what_was_visible(collection, assessor):
    judgment = factories.judge(assessor, 1, visible_ms=3000, wall_ms=9000, is_unsure=True, comment="hm")
    pair = judgment.pair
    assert judgment.order == "TOPIC"
    assert judgment.order_key == pair.order_key
    assert judgment.order_seed == collection.seed
    assert judgment.stratum == pair.topic.query_id
    assert judgment.frame_version == pair.frame_version == 1
    assert (judgment.arm, judgment.is_suggestion_seen, judgment.suggestion) == ("HIDDEN", False, None)
    assert (judgment.session, judgment.session_position) == (1, 1)
    assert (judgment.visible_ms, judgment.wall_ms) == (3000, 9000)
    assert judgment.guidelines.version == 1


def test_a_long_pause_starts_a_new_session(assessor):
    factories.judge(assessor)
    second = factories.judge(assessor, now=NOW + timedelta(minutes=5))
    third = factories.judge(assessor, now=NOW + timedelta(hours=2))
    assert (second.session, second.session_position) == (1, 2)
    assert (third.session, third.session_position) == (2, 1)


def test_the_same_save_twice_is_one_judgment(assessor):
    claim = factories.claim(assessor)
    said = {
        "assessor": assessor,
        "token": claim.token,
        "key": claim.token,
        "answer": judgments.Answer(grade=2),
        "now": NOW,
    }
    first, second = factories.save(**said), factories.save(**said)
    assert first == second
    assert Judgment.objects.count() == 1
    assessor.refresh_from_db()
    assert assessor.judged == 1


def test_another_answer_from_a_second_tab_is_told_and_not_stored(assessor):
    claim = factories.claim(assessor)
    said = {"assessor": assessor, "token": claim.token, "now": NOW}
    factories.save(**said, key=uuid.uuid4(), answer=judgments.Answer(grade=2))
    with pytest.raises(judgments.AlreadyGraded):
        factories.save(**said, key=uuid.uuid4(), answer=judgments.Answer(grade=0))
    assert Judgment.objects.get().grade == 2


def test_a_grade_off_the_scale_is_refused_and_nothing_is_stored(assessor):
    claim = factories.claim(assessor)
    with pytest.raises(judgments.NotOnScale, match="0-3"):
        factories.save(
            assessor=assessor, token=claim.token, key=uuid.uuid4(), answer=judgments.Answer(grade=4), now=NOW
        )
    assert not Judgment.objects.exists()


def test_the_token_of_another_person_opens_nothing(collection, assessor):
    claim = factories.claim(assessor)
    with pytest.raises(Claim.DoesNotExist):
        factories.save(
            assessor=factories.make_assessor(collection),
            token=claim.token,
            key=uuid.uuid4(),
            answer=judgments.Answer(grade=1),
            now=NOW,
        )


def test_a_change_keeps_the_earlier_grade_in_the_history(assessor):
    first = factories.judge(assessor, 2)
    turns.change(
        assessor=assessor,
        judgment_id=first.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=1),
        now=NOW,
        claims_next=False,
    )
    assert list(Judgment.objects.order_by("version").values_list("version", "grade", "is_current")) == [
        (1, 2, False),
        (2, 1, True),
    ]
    assessor.refresh_from_db()
    assert assessor.judged == 1
    assert Pair.objects.get(pk=first.pair_id).consensus_grade == 1


def test_a_fault_in_the_middle_of_a_change_leaves_the_old_grade(assessor, monkeypatch):
    first = factories.judge(assessor, 2)
    monkeypatch.setattr(judgments.pair_states, "refresh", lambda **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        turns.change(
            assessor=assessor,
            judgment_id=first.pk,
            key=uuid.uuid4(),
            answer=judgments.Answer(grade=1),
            now=NOW,
            claims_next=False,
        )
    assert Judgment.objects.get().grade == 2
    assert Judgment.objects.get().is_current


def test_cannot_judge_counts_as_done_and_the_pair_stays_a_hole(collection, assessor):
    judgment = factories.judge(assessor, None)
    pair = Pair.objects.get(pk=judgment.pair_id)
    assert (pair.counted, pair.places_open, pair.is_hole) == (1, 0, True)
    collection.refresh_from_db()
    assert collection.pairs_open == 5


def test_a_grade_after_the_claim_ran_out_is_kept(assessor):
    claim = factories.claim(assessor)
    late = NOW + timedelta(minutes=31)
    factories.let_claims_run_out(assessor.collection, late)
    judgment = factories.save(
        assessor=assessor, token=claim.token, key=uuid.uuid4(), answer=judgments.Answer(grade=1), now=late
    )
    pair = Pair.objects.get(pk=judgment.pair_id)
    assert (judgment.is_extra, pair.counted, pair.places_open) == (False, 1, 0)


def test_a_late_grade_is_extra_where_another_met_the_target_meanwhile(collection, assessor):
    claim = factories.claim(assessor)
    late = NOW + timedelta(minutes=31)
    other = factories.make_assessor(collection)
    assert factories.judge(other, 3, now=late).pair_id == claim.pair_id
    judgment = factories.save(
        assessor=assessor, token=claim.token, key=uuid.uuid4(), answer=judgments.Answer(grade=1), now=late
    )
    assert judgment.is_extra
    assert Pair.objects.get(pk=claim.pair_id).counted == 1


class TestReveal:
    @pytest.fixture
    def collection(self):
        collection = factories.make_holes(factories.make_collection(share_hidden=0, share_reveal=100))
        factories.make_suggestions(collection, grade=1)
        return collection

    def test_the_grade_before_and_after_are_both_stored(self, assessor):
        judgment = factories.judge(assessor, 3)
        assert judgment.arm == "REVEAL"
        assert judgment.revealed_at is not None
        assert judgment.suggestion.grade == 1
        assert not judgment.is_suggestion_seen
        assessor.refresh_from_db()
        turns.decide(assessor=assessor, judgment_id=judgment.pk, grade=2, now=NOW, claims_next=False)
        judgment.refresh_from_db()
        assert (judgment.first_grade, judgment.grade) == (3, 2)
        assert judgment.decided_at == NOW
        assert Pair.objects.get(pk=judgment.pair_id).consensus_grade == 2

    def test_the_first_decision_stands(self, assessor):
        judgment = factories.judge(assessor, 3)
        for grade in (2, 0):
            turns.decide(assessor=assessor, judgment_id=judgment.pk, grade=grade, now=NOW, claims_next=False)
        judgment.refresh_from_db()
        assert judgment.grade == 2

    def test_a_change_after_the_reveal_keeps_the_blind_grade(self, assessor):
        judgment = factories.judge(assessor, 3)
        changed = turns.change(
            assessor=assessor,
            judgment_id=judgment.pk,
            key=uuid.uuid4(),
            answer=judgments.Answer(grade=0),
            now=NOW,
            claims_next=False,
        ).judgment
        assert (changed.first_grade, changed.grade, changed.is_suggestion_seen) == (3, 0, False)

    def test_nothing_is_revealed_where_the_model_says_nothing(self, collection, assessor):
        collection.suggesting_rater = None
        collection.save()
        judgment = factories.judge(assessor, 3)
        assert (judgment.arm, judgment.revealed_at, judgment.suggestion) == ("REVEAL", None, None)


@pytest.mark.postgresql
def test_the_database_refuses_a_second_current_judgment(assessor):
    judgment = factories.judge(assessor)
    judgment.pk, judgment.key, judgment.version = None, uuid.uuid4(), 2
    with pytest.raises(IntegrityError), transaction.atomic():
        judgment.save()


@pytest.mark.postgresql
def test_the_database_refuses_a_grade_for_what_cannot_be_judged(assessor):
    judgment = factories.judge(assessor)
    with pytest.raises(IntegrityError), transaction.atomic():
        Judgment.objects.filter(pk=judgment.pk).update(outcome="CANNOT", reason="torn")
