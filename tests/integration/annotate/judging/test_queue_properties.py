"""Whatever several people do in whatever order: no acknowledged grade is lost, and the counters equal a recount."""

import uuid
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from annotate.collections.operations import collections
from annotate.draws.operations import changes as draws_changes
from annotate.formats.named_pairs import NamedPair
from annotate.judging.operations import judgments as judging_judgments
from annotate.judging.operations import turns
from annotate.judging.queries import activity
from annotate.models import Claim, Collection, Judgment, Membership, Pair
from annotate.pairs import pair_states
from annotate.pool.operations import pooling
from annotate.rules import completion, drawing
from tests import factories
from tests.factories import NOW

PEOPLE = 3
person = st.integers(0, PEOPLE - 1)
grade = st.integers(0, 3)


class Queue(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        arms = {"share_hidden": 1, "share_shown": 1, "share_reveal": 1, "seed": 9}  # all three among six pairs
        repeats = {"share_repeated": 70, "repeat_distance": 1}
        made = factories.make_collection(target=2, **arms, **repeats)
        self.collection = factories.make_holes(made, topics=2, passages=3)
        self.models = [factories.make_suggestions(self.collection, grade=n, rater=f"model-{n}") for n in (0, 1)]
        factories.import_qrels(self.collection, "q1 0 d1.1 3\nq1 0 d1.2 2\n")
        self.assessors = [factories.make_assessor(self.collection) for _ in range(PEOPLE)]
        self.now = NOW
        self.in_view = {}  # claim -> the suggestion on its card
        self.acknowledged = {}  # (assessor, pair, round) -> what was last acknowledged
        self.decided = {}  # pair -> the grade that was decided last, and what people had said when it was
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
        claim = turns.begin(assessor=self.assessor(who), now=self.now).claim
        if claim:
            self.shown[who] = claim
            self.in_view.setdefault(claim.pk, claim.suggestion_id)

    @precondition(lambda self: self.shown)
    @rule(data=st.data(), given=st.none() | grade, repeat=st.booleans())
    def answer_what_is_shown(self, data, given, repeat):
        """Also when the claim ran out meanwhile, when the pair was judged in another tab, and twice."""
        who = data.draw(st.sampled_from(sorted(self.shown)))
        claim = self.shown[who]
        answer = judging_judgments.Answer(grade=given, reason="" if given is not None else "torn")
        key = uuid.uuid4()
        for _ in range(1 + repeat):
            try:
                factories.save(assessor=self.assessor(who), token=claim.token, key=key, answer=answer, now=self.now)
            except judging_judgments.AlreadyGraded:
                return
        self.acknowledged.setdefault((who, claim.pair_id, claim.round), given)

    @precondition(lambda self: self.acknowledged)
    @rule(data=st.data(), given=st.none() | grade)
    def change_an_earlier_answer(self, data, given):
        who, pair, number = data.draw(st.sampled_from(sorted(self.acknowledged)))
        current = Judgment.objects.get(assessor=self.assessors[who], pair=pair, round=number, is_current=True)
        turns.change(
            assessor=self.assessor(who),
            judgment_id=current.pk,
            key=uuid.uuid4(),
            answer=judging_judgments.Answer(grade=given, reason="" if given is not None else "torn"),
            now=self.now,
            claims_next=False,
        )
        self.acknowledged[who, pair, number] = given

    @precondition(lambda self: self.shown)
    @rule(data=st.data())
    def skip_what_is_shown(self, data):
        who = data.draw(st.sampled_from(sorted(self.shown)))
        turns.skip(assessor=self.assessor(who), token=self.shown[who].token, now=self.now, claims_next=False)

    @rule(minutes=st.sampled_from([1, 29, 31]))
    def time_passes(self, minutes):
        self.now += timedelta(minutes=minutes)

    @rule()
    def claims_run_out(self):
        factories.let_claims_run_out(self.collection, self.now)

    @rule(fraction=st.sampled_from([0.5, 1.0]))
    def holes_are_drawn_or_taken_back(self, fraction):
        self.collection.refresh_from_db()
        try:
            pooling.undo_draw(collection=self.collection, now=self.now)
        except pooling.CannotDraw:
            pooling.draw_holes(
                collection=self.collection, fraction=fraction, chosen=[2, 3], seed=1, by=None, now=self.now
            ) if fraction == 1 else None

    @rule(
        model=st.sampled_from([None, 0, 1]),
        wanted=st.integers(1, 3),
        several=st.sampled_from([0, 50]),
        repeated=st.sampled_from([0, 70]),
        propagates=st.booleans(),
        by=st.sampled_from(["MAJORITY", "MAXIMUM", "ADJUDICATED"]),
    )
    def settings_are_changed(self, model, wanted, several, repeated, propagates, by):
        changes = {
            "suggesting_rater": None if model is None else self.models[model],
            "target": wanted,
            "target_several": 4,
            "share_several": several,
            "share_repeated": repeated,
            "propagates_duplicates": propagates,
            "consensus": by,
        }
        self.collection = collections.change_judging(collection=self.collection, changes=changes)

    @rule(which=st.integers(0, 5))
    def a_pair_is_withdrawn_or_given_back(self, which):
        pair = self.pairs()[which]
        named = [NamedPair(1, pair.topic.query_id, pair.passage_id)]
        if pair.is_withdrawn:
            draws_changes.restore_pairs(collection=self.collection, named=named, now=self.now)
        else:
            draws_changes.withdraw_pairs(collection=self.collection, named=named, reason="torn", now=self.now)

    @rule(which=st.integers(0, 5), is_near=st.booleans())
    def near_duplicates_are_found_anew(self, which, is_near):
        """The first pair of a topic is what the others may duplicate."""
        pair = self.pairs()[which]
        leader = next(each for each in self.pairs() if each.topic_id == pair.topic_id)
        if pair != leader:
            self.mark(pair, duplicate_of=leader if is_near else None)

    @rule(which=st.integers(0, 1), is_calibration=st.booleans())
    def reference_pairs_are_mixed_in(self, which, is_calibration):
        self.mark(self.pairs()[which], is_calibration=is_calibration)

    @rule(which=st.integers(0, 5), given=st.none() | grade)
    def a_pair_is_decided(self, which, given):
        pair = self.pairs()[which]
        factories.decide(pair, given)
        self.decided[pair.pk] = (given, self.said(pair))

    def mark(self, pair, **marks):
        Pair.objects.filter(pk=pair.pk).update(**marks)
        pair.refresh_from_db()
        pair_states.refresh(collection=self.collection, pairs=[pair])

    def pairs(self):
        return list(Pair.objects.filter(collection=self.collection).select_related("topic").order_by("pk"))

    def said(self, pair):
        """Every version of what people said of a pair in the first round."""
        versions = pair.judgments.filter(round=1).order_by("pk")
        return list(versions.values_list("pk", "grade", "decided_at"))

    @rule(who=person, given=grade)
    def decide_on_what_was_revealed(self, who, given):
        if judgment := activity.undecided_judgment(self.assessors[who]):
            turns.decide(
                assessor=self.assessor(who), judgment_id=judgment.pk, grade=given, now=self.now, claims_next=False
            )
            self.acknowledged[who, judgment.pair_id, 1] = given

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
        current = self.judgments().filter(is_current=True).select_related("assessor")
        stored = {(self.assessors.index(j.assessor), j.pair_id, j.round): j.grade for j in current}
        assert stored == self.acknowledged
        assert current.count() == len(stored)

    @invariant()
    def a_repeat_is_blind_and_comes_after_a_grade_that_was_given_blind(self):
        again = self.judgments().filter(round=2, version=1)
        for judgment in again:
            first = self.judgments().get(assessor=judgment.assessor, pair=judgment.pair, round=1, version=1)
            between = self.judgments().filter(assessor=judgment.assessor, pk__gt=first.pk, pk__lt=judgment.pk)
            assert between.filter(version=1, round=1).exists()
            assert (judgment.arm, judgment.suggestion, judgment.is_extra) == ("HIDDEN", None, False)
            assert not first.is_suggestion_seen

    @invariant()
    def the_states_of_each_pair_equal_a_recount(self):
        collection = Collection.objects.get(pk=self.collection.pk)
        pairs = {pair.pk: pair for pair in self.pairs()}
        for pair in sorted(pairs.values(), key=lambda pair: pair.duplicate_of_id is not None):
            leader = pairs.get(pair.duplicate_of_id) if collection.propagates_duplicates else None
            self.check_grade(pair, collection, leader)
            self.check_places(pair, collection, leader)

    def check_grade(self, pair, collection, leader):
        judgments = pair.judgments.filter(is_current=True, round=1, grade__isnull=False)
        given = list(judgments.values_list("grade", flat=True))
        own = completion.find_consensus(collection.consensus, given)
        if pair.pk in self.decided:
            own, said = self.decided[pair.pk]
            decision = pair.adjudications.get(is_current=True)
            assert (decision.grade, decision.has_new_evidence) == (own, said != self.said(pair))
            assert pair.is_disputed == decision.has_new_evidence
        elif pair.is_disputed:
            assert pair.counted >= pair.target > 0 and (len(set(given)) > 1 or pair.consensus_grade is None)
        followed = None if leader is None else leader.consensus_grade
        assert pair.consensus_grade == (own if followed is None or pair.pk in self.decided else followed)
        assert pair.spread == (max(given) - min(given) if given else 0)

    def check_places(self, pair, collection, leader):
        counted = pair.judgments.filter(is_current=True, round=1, is_extra=False).count()
        held = pair.claims.filter(state=Claim.State.OPEN, round=1).count()
        follows = leader is not None and (leader.target > 0 or leader.consensus_grade is not None)
        is_asked = not pair.is_withdrawn and (pair.is_calibration or not (pair.is_reference_closed or follows))
        point = 100 * drawing.seeded_share(collection.seed, "several", pair.topic.query_id, pair.passage_id)
        wanted = collection.target_several if point < collection.share_several else collection.target
        assert pair.target == (wanted if is_asked else 0)
        assert pair.counted == min(counted, pair.target)
        assert pair.places_open == max(0, pair.target - pair.counted - held)

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
            mine = {(pair, number) for person, pair, number in self.acknowledged if person == who}
            skipped = set(assessor.claims.filter(state=Claim.State.SKIPPED).values_list("pair", "round"))
            assert row.judged == sum(number == 1 for _, number in mine)
            assert row.repeated == sum(number == 2 for _, number in mine)
            assert row.skipped == len(skipped - mine)


@pytest.mark.postgresql
@pytest.mark.django_db
def test_any_interleaving_keeps_the_queue_whole():
    run_state_machine_as_test(Queue, settings=settings(max_examples=15, stateful_step_count=25, deadline=None))
