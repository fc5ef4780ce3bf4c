"""What a judgment stores as seen is what its card showed, whatever changes between the showing and the save."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotate.collections.operations import collections
from annotate.grades import ratings
from annotate.imports.operations import withdrawals
from annotate.judging.operations import judgments, turns
from annotate.judging.queries import judging_card
from annotate.models import Backstory, Claim, Collection, Judgment, Suggestion
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db
ARMS = ["share_hidden", "share_shown", "share_reveal"]


def collection_in(arm: str) -> Collection:
    shares = {**dict.fromkeys(ARMS, 0), f"share_{arm}": 1}
    return factories.make_holes(factories.make_collection(**shares), topics=1, passages=3)


def save(claim: Claim, grade: int | None = 2) -> Judgment:
    answer = judgments.Answer(grade=grade, reason="" if grade is not None else "torn")
    return factories.save(assessor=claim.assessor, token=claim.token, key=uuid.uuid4(), answer=answer, now=NOW)


def change(judgment: Judgment, grade: int | None) -> Judgment:
    answer = judgments.Answer(grade=grade, reason="" if grade is not None else "torn")
    return turns.change(
        assessor=judgment.assessor, judgment_id=judgment.pk, key=uuid.uuid4(), answer=answer, now=NOW, claims_next=False
    ).judgment


def decide(judgment: Judgment, grade: int) -> Judgment:
    return turns.decide(
        assessor=judgment.assessor, judgment_id=judgment.pk, grade=grade, now=NOW, claims_next=False
    ).judgment


def names(suggestion: Suggestion | None) -> str | None:
    return suggestion and suggestion.rater.name


class TestShownFirst:
    @pytest.fixture
    def collection(self):
        return collection_in("shown")

    @pytest.fixture
    def assessor(self, collection):
        return factories.make_assessor(collection)

    def test_the_model_on_the_card_is_stored_though_another_was_chosen_since(self, collection, assessor):
        factories.make_suggestions(collection, rater="model-a")
        claim = factories.claim(assessor)
        factories.make_suggestions(collection, rater="model-b")
        again = factories.claim(assessor)
        assert again == claim
        assert names(judging_card.build_claim_card(again, NOW).suggestion) == "model-a"
        judgment = save(again)
        assert (names(judgment.suggestion), judgment.is_suggestion_seen) == ("model-a", True)
        assert names(judging_card.build_judgment_card(judgment, NOW).suggestion) == "model-a"
        assert names(change(judgment, 1).suggestion) == "model-a"

    def test_a_suggestion_that_came_after_the_showing_was_not_seen(self, collection, assessor):
        claim = factories.claim(assessor)
        factories.make_suggestions(collection)
        assert judging_card.build_claim_card(factories.claim(assessor), NOW).suggestion is None
        judgment = save(claim)
        assert (judgment.suggestion, judgment.is_suggestion_seen) == (None, False)
        assert judging_card.build_judgment_card(judgment, NOW).suggestion is None
        assert change(judgment, 1).suggestion is None

    @pytest.mark.parametrize("minutes", [1, 31])
    def test_what_a_card_shows_cannot_be_withdrawn_even_when_its_claim_ran_out(self, collection, assessor, minutes):
        factories.make_suggestions(collection, rater="model-a")
        claim = factories.claim(assessor)
        factories.let_claims_run_out(collection, NOW + timedelta(minutes=minutes))
        imported = collection.imported_files.get(options__rater="model-a")
        with pytest.raises(withdrawals.CannotWithdraw, match="Assessors saw"):
            withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
        assert save(claim).is_suggestion_seen

    def test_a_suggestion_of_a_file_that_is_on_its_way_out_is_not_shown(self, collection, assessor):
        factories.make_suggestions(collection, rater="model-a")
        imported = collection.imported_files.get(options__rater="model-a")
        withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
        assert factories.claim(assessor).suggestion is None

    @pytest.mark.postgresql
    def test_a_pair_that_comes_back_after_a_skip_shows_what_it_showed(self, collection, assessor):
        factories.make_suggestions(collection, rater="model-a")
        first = factories.claim(assessor)
        turns.skip(assessor=assessor, token=first.token, now=NOW, claims_next=False)
        factories.judge(assessor)
        factories.judge(assessor)
        Collection.objects.update(suggesting_rater=None)
        again = factories.claim(assessor)
        assert again.pair_id == first.pair_id
        assert names(again.suggestion) == "model-a"

    @pytest.mark.postgresql
    def test_the_versions_of_backstory_and_guidelines_are_those_of_the_card(self, collection, assessor):
        topic = collection.topics.get()
        told = {"topic": topic, "origin": "WRITTEN", "created_at": NOW}
        first = Backstory.objects.create(version=1, text="first", **told)
        claim = factories.claim(assessor)
        Backstory.objects.update(is_current=False)
        Backstory.objects.create(version=2, text="second", **told)
        words = collections.usual_grade_words(collection.scale)
        collections.add_guidelines(collection=collection, text="second", grade_words=words, by=None, now=NOW)

        card = judging_card.build_claim_card(factories.claim(assessor), NOW)
        judgment = save(claim)
        reopened = judging_card.build_judgment_card(judgment, NOW)
        for shown in (card, judgment, reopened, change(judgment, 1)):
            assert (shown.backstory, shown.guidelines.version) == (first, 1)
        assert factories.claim(assessor).guidelines.version == 2


@pytest.mark.postgresql
@pytest.mark.parametrize("arm", ["hidden", "reveal"])
def test_before_the_grade_a_claim_holds_a_suggestion_in_the_shown_arm_only(arm):
    collection = collection_in(arm)
    factories.make_suggestions(collection)
    claim = factories.claim(factories.make_assessor(collection))
    assert (claim.arm, claim.suggestion) == (arm.upper(), None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.update(suggestion=Suggestion.objects.first())


class TestReveal:
    @pytest.fixture
    def collection(self):
        collection = collection_in("reveal")
        factories.make_suggestions(collection, rater="model-a")
        return collection

    @pytest.fixture
    def revealed(self, collection):
        return factories.judge(factories.make_assessor(collection), 1)

    def blind(self, collection):
        return list(ratings.consensus_grades(collection, blind=True).values())

    def test_what_is_revealed_is_what_the_chosen_model_says_at_the_save(self, collection):
        claim = factories.claim(factories.make_assessor(collection))
        factories.make_suggestions(collection, rater="model-b")
        judgment = save(claim)
        assert (names(judgment.suggestion), judgment.is_suggestion_seen) == ("model-b", False)

    def test_a_change_after_the_decision_keeps_the_blind_grade_among_the_blind_ones(self, collection, revealed):
        decide(revealed, 1)
        changed = change(revealed, 3)
        assert (changed.grade, changed.first_grade, changed.is_suggestion_seen) == (3, 1, False)
        assert self.blind(collection) == [1]

    def test_after_a_reveal_no_later_grade_counts_as_blind(self, collection, revealed):
        Collection.objects.update(suggesting_rater=None)
        refused = change(revealed, None)
        assert (refused.grade, refused.first_grade) == (None, None)
        again = change(refused, 3)
        assert (again.grade, again.first_grade, again.revealed_at) == (3, 1, revealed.revealed_at)
        assert names(again.suggestion) == "model-a"
        assert self.blind(collection) == [1]

    @pytest.mark.postgresql
    def test_what_was_revealed_stays_when_another_model_is_chosen(self, collection, revealed):
        decide(revealed, 1)
        factories.make_suggestions(collection, rater="model-b")
        revealed.refresh_from_db()
        assert names(judging_card.build_judgment_card(revealed, NOW).suggestion) == "model-a"
        assert names(change(revealed, 2).suggestion) == "model-a"

    def test_a_grade_after_cannot_judge_is_revealed_then(self, collection):
        first = factories.judge(factories.make_assessor(collection), None)
        assert (first.suggestion, first.revealed_at) == (None, None)
        second = change(first, 2)
        assert (names(second.suggestion), second.first_grade, second.decided_at) == ("model-a", 2, None)
        assert second.revealed_at is not None

    def test_a_reveal_is_asked_for_until_it_is_decided_whatever_is_saved_meanwhile(self, collection):
        assessor = factories.make_assessor(collection)
        skipped = factories.claim(assessor)
        turns.skip(assessor=assessor, token=skipped.token, now=NOW, claims_next=False)
        waiting = factories.judge(assessor, 1)
        late = save(skipped)
        asked = []
        for _ in range(2):
            turn = turns.begin(assessor=assessor, now=NOW)
            asked.append(turn.undecided)
            decide(turn.undecided, 2)
        assert {judgment.pk for judgment in asked} == {waiting.pk, late.pk}
        assert turns.begin(assessor=assessor, now=NOW).claim is not None
