"""Whatever several people do in whatever order: no acknowledged grade is lost, and the counters equal a recount."""

import uuid
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from annotate.models import Claim, Collection, Judgment, Membership, Pair
from annotate.operations import claiming, collections, hole_drawing, judging
from annotate.queries import judging_history
from annotate.rules import consensus
from tests import factories
from tests.factories import NOW

PEOPLE = 3
person = st.integers(0, PEOPLE - 1)
grade = st.integers(0, 3)


class Queue(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        arms = {"share_hidden": 1, "share_shown": 1, "share_reveal": 1, "seed": 9}  # all three among four pairs
        self.collection = factories.make_holes(factories.make_collection(target=2, **arms), topics=2, passages=2)
        self.models = [factories.make_suggestions(self.collection, grade=n, rater=f"model-{n}") for n in (0, 1)]
        factories.import_qrels(self.collection, "q1 0 d1.1 3\nq1 0 d1.2 2\n")
        self.assessors = [factories.make_assessor(self.collection) for _ in range(PEOPLE)]
        self.now = NOW
        self.in_view = {}  # claim -> the suggestion on its card
        self.acknowledged = {}  # (assessor, pair) -> what was last acknowledged
        self.blind = {}  # judgment's claim -> what was revealed after it, and the grade given before
        self.shown = {}  # assessor -> the token of the card in front of the person, perhaps out of date

    def assessor(self, number):
        assessor = self.assessors[number]
        assessor.refresh_from_db()
        return assessor

    def judgments(self):
        return Judgment.objects.filter(assessor__in=self.assessors)

    @rule(who=person)
    def ask_for_the_next(self, who):
        claim = claiming.claim_next(assessor=self.assessor(who), now=self.now)
        if claim:
            self.shown[who] = claim
            self.in_view.setdefault(claim.pk, claim.suggestion_id)

    @precondition(lambda self: self.shown)
    @rule(data=st.data(), given=st.none() | grade, repeat=st.booleans())
    def answer_what_is_shown(self, data, given, repeat):
        """Also when the claim ran out meanwhile, when the pair was judged in another tab, and twice."""
        who = data.draw(st.sampled_from(sorted(self.shown)))
        claim = self.shown[who]
        answer = judging.Answer(grade=given, reason="" if given is not None else "torn")
        key = uuid.uuid4()
        for _ in range(1 + repeat):
            try:
                judging.record_judgment(
                    assessor=self.assessor(who), token=claim.token, key=key, answer=answer, now=self.now
                )
            except judging.AlreadyGraded:
                return
        self.acknowledged.setdefault((who, claim.pair_id), given)

    @precondition(lambda self: self.acknowledged)
    @rule(data=st.data(), given=st.none() | grade)
    def change_an_earlier_answer(self, data, given):
        who, pair = data.draw(st.sampled_from(sorted(self.acknowledged)))
        current = Judgment.objects.get(assessor=self.assessors[who], pair=pair, is_current=True)
        judging.change_judgment(
            assessor=self.assessor(who),
            judgment_id=current.pk,
            key=uuid.uuid4(),
            answer=judging.Answer(grade=given, reason="" if given is not None else "torn"),
            now=self.now,
        )
        self.acknowledged[who, pair] = given

    @precondition(lambda self: self.shown)
    @rule(data=st.data())
    def skip_what_is_shown(self, data):
        who = data.draw(st.sampled_from(sorted(self.shown)))
        claiming.skip(assessor=self.assessor(who), token=self.shown[who].token, now=self.now)

    @rule(minutes=st.sampled_from([1, 29, 31]))
    def time_passes(self, minutes):
        self.now += timedelta(minutes=minutes)

    @rule()
    def claims_run_out(self):
        claiming.expire_claims(collection_id=self.collection.pk, now=self.now)

    @rule(fraction=st.sampled_from([0.5, 1.0]))
    def holes_are_drawn_or_taken_back(self, fraction):
        self.collection.refresh_from_db()
        try:
            hole_drawing.undo_draw(collection=self.collection, now=self.now)
        except hole_drawing.CannotDraw:
            hole_drawing.draw_holes(
                collection=self.collection, fraction=fraction, chosen=[2, 3], seed=1, by=None, now=self.now
            ) if fraction == 1 else None

    @rule(model=st.sampled_from([None, 0, 1]), wanted=st.integers(1, 3))
    def settings_are_changed(self, model, wanted):
        chosen = None if model is None else self.models[model]
        self.collection = collections.change_judging(
            collection=self.collection, changes={"suggesting_rater": chosen, "target": wanted}
        )

    @rule(who=person, given=grade)
    def decide_on_what_was_revealed(self, who, given):
        if judgment := judging_history.undecided(self.assessors[who]):
            judging.decide_after_reveal(assessor=self.assessor(who), judgment_id=judgment.pk, grade=given, now=self.now)
            self.acknowledged[who, judgment.pair_id] = given

    @invariant()
    def what_is_stored_as_seen_is_what_was_shown(self):
        for judgment in self.judgments().exclude(arm="REVEAL"):
            assert judgment.suggestion_id == self.in_view[judgment.claim_id]
            assert judgment.is_suggestion_seen == (judgment.suggestion_id is not None)

    @invariant()
    def what_was_said_blind_stays_when_a_suggestion_was_revealed(self):
        for judgment in self.judgments().filter(revealed_at__isnull=False).order_by("version"):
            assert not judgment.is_suggestion_seen
            suggestion, before = self.blind.setdefault(
                judgment.claim_id, (judgment.suggestion_id, judgment.first_grade)
            )
            assert judgment.suggestion_id == suggestion
            assert judgment.first_grade == (None if judgment.outcome == "CANNOT" else before)

    @invariant()
    def no_acknowledged_grade_is_lost(self):
        current = self.judgments().filter(is_current=True)
        stored = {(self.assessors.index(j.assessor), j.pair_id): j.grade for j in current.select_related("assessor")}
        assert stored == self.acknowledged
        assert current.count() == len(stored)

    @invariant()
    def the_counters_of_each_pair_equal_a_recount(self):
        wanted = Collection.objects.get(pk=self.collection.pk).target
        for pair in Pair.objects.filter(collection=self.collection):
            judgments = list(pair.judgments.filter(is_current=True))
            counted = sum(not judgment.is_extra for judgment in judgments)
            held = pair.claims.filter(state=Claim.State.OPEN).count()
            assert pair.target == (0 if pair.is_reference_closed else wanted)
            assert pair.counted == min(counted, pair.target)
            assert pair.places_open == max(0, pair.target - pair.counted - held)
            given = [judgment.grade for judgment in judgments if judgment.grade is not None]
            assert pair.consensus_grade == consensus.consensus("MAJORITY", given)

    @invariant()
    def the_counters_of_the_collection_equal_a_recount(self):
        pairs = list(Pair.objects.filter(collection=self.collection))
        collection = Collection.objects.get(pk=self.collection.pk)
        assert collection.pairs_wanted == sum(pair.target > 0 for pair in pairs)
        assert collection.pairs_open == sum(pair.counted < pair.target for pair in pairs)

    @invariant()
    def the_counters_of_each_person_equal_a_recount(self):
        for who, assessor in enumerate(self.assessors):
            row = Membership.objects.get(pk=assessor.pk)
            assert row.judged == sum(1 for person, _ in self.acknowledged if person == who)
            skipped = set(assessor.claims.filter(state=Claim.State.SKIPPED).values_list("pair", flat=True))
            assert row.skipped == len(skipped - {pair for person, pair in self.acknowledged if person == who})


@pytest.mark.django_db
def test_any_interleaving_keeps_the_queue_whole():
    run_state_machine_as_test(Queue, settings=settings(max_examples=15, stateful_step_count=25, deadline=None))
