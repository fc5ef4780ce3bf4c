"""What a pair's row repeats: consensus or decision, spread, dispute, target, and what near-duplicates take over."""

import uuid

import pytest

from annotate.collections.operations import collections
from annotate.judging.operations import judgments, turns
from annotate.models import Collection, Pair, PairDraw
from annotate.pairs import pair_states
from annotate.rules import assignment
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(target=2), topics=1, passages=3)


def follow(collection):
    pair_states.refresh(collection=collection, pairs=list(Pair.objects.filter(collection=collection)))


def one_pair(collection):
    """Only one is left to judge."""
    last = Pair.objects.latest("pk")
    Pair.objects.exclude(pk=last.pk).update(is_withdrawn=True, withdrawn_reason="not needed")
    follow(collection)
    return last


def give(collection, *grades):
    """One more person for each grade; None cannot judge."""
    return [factories.judge(factories.make_assessor(collection), grade) for grade in grades]


def now(pair):
    return Pair.objects.get(pk=pair.pk)


class TestDispute:
    @pytest.mark.parametrize(
        ("grades", "grade", "spread", "is_disputed"),
        [
            ([2, 2], 2, 0, False),
            ([1, 2], None, 1, True),
            ([0, 3], None, 3, True),
            ([2, None], 2, 0, False),
            ([None, None], None, 0, True),
            ([3], 3, 0, False),  # one more judgment is to come
            ([None], None, 0, False),
        ],
    )
    def test_all_judgments_are_there_and_differ_or_give_no_grade(self, collection, grades, grade, spread, is_disputed):
        pair = one_pair(collection)
        give(collection, *grades)
        pair = now(pair)
        assert (pair.consensus_grade, pair.spread, pair.is_disputed) == (grade, spread, is_disputed)

    def test_a_majority_against_another_grade_is_looked_at_too(self, collection):
        pair = one_pair(collection)
        collections.change_judging(collection=collection, changes={"target": 3})
        give(collection, 2, 2, 0)
        assert (now(pair).consensus_grade, now(pair).is_disputed) == (2, True)

    def test_a_decision_ends_it_and_gives_the_grade(self, collection):
        pair = one_pair(collection)
        give(collection, 1, 3)
        factories.decide(pair, 2)
        assert (now(pair).consensus_grade, now(pair).is_disputed, now(pair).is_hole) == (2, False, False)

    def test_a_decision_that_nobody_can_judge_leaves_a_hole_whatever_people_said(self, collection):
        pair = one_pair(collection)
        give(collection, 2, 2)
        factories.decide(pair, None)
        assert (now(pair).consensus_grade, now(pair).is_disputed, now(pair).is_hole) == (None, False, True)

    def test_what_is_said_later_flags_the_decision_and_never_undoes_it(self, collection):
        pair = one_pair(collection)
        [first, _] = give(collection, 1, 3)
        decided = factories.decide(pair, 2)
        answer = judgments.Answer(grade=3)
        turns.change(
            assessor=first.assessor, judgment_id=first.pk, key=uuid.uuid4(), answer=answer, now=NOW, claims_next=False
        )
        decided.refresh_from_db()
        assert decided.has_new_evidence
        assert (now(pair).consensus_grade, now(pair).is_disputed) == (2, True)
        factories.decide(pair, 3)
        assert (now(pair).consensus_grade, now(pair).is_disputed) == (3, False)

    def test_a_skip_or_a_new_setting_is_no_evidence(self, collection):
        pair = one_pair(collection)
        give(collection, 1, 3)
        decided = factories.decide(pair, 2)
        collections.change_judging(collection=collection, changes={"target": 3})
        decided.refresh_from_db()
        assert not decided.has_new_evidence
        assert not now(pair).is_disputed

    @pytest.mark.postgresql
    def test_under_the_rule_adjudicated_people_fill_no_hole(self, collection):
        pair = one_pair(collection)
        collections.change_judging(collection=collection, changes={"consensus": "ADJUDICATED"})
        give(collection, 2, 2)
        assert (now(pair).consensus_grade, now(pair).is_disputed) == (None, True)
        factories.decide(pair, 1)
        assert (now(pair).consensus_grade, now(pair).is_disputed) == (1, False)


class TestWanted:
    @pytest.mark.postgresql
    def test_a_share_of_the_pairs_is_judged_by_several(self, collection):
        changes = {"target": 1, "share_several": 50, "target_several": 3}
        collections.change_judging(collection=collection, changes=changes)
        for pair in Pair.objects.select_related("topic"):
            wanted = assignment.assign_target(1, 3, 50, collection.seed, query_id="q1", passage_id=pair.passage_id)
            assert pair.target == pair.places_open == wanted
        assert set(Pair.objects.values_list("target", flat=True)) == {1, 3}

    @pytest.mark.parametrize(("order", "wanted"), [("SAMPLE", 1), ("LIST", 1), ("INFLUENCE", 3)])
    def test_a_sample_and_a_list_name_who_is_asked_for_an_order_does_not(self, collection, order, wanted):
        draw = PairDraw.objects.create(
            collection=collection, kind=order, seed=1, size=1, frame_version=1, created_at=NOW
        )
        Collection.objects.update(order=order, pair_draw=draw)
        drawn = Pair.objects.earliest("pk")
        Pair.objects.filter(pk=drawn.pk).update(is_drawn=True)
        follow(collection)
        assert Pair.objects.filter(target=2).count() == wanted
        assert now(drawn).target == 2

    def test_pairs_that_measure_drift_are_asked_for_though_the_reference_closed_them(self, collection):
        factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 1\n")
        Pair.objects.filter(passage_id="d1.1").update(is_calibration=True)
        follow(collection)
        assert dict(Pair.objects.values_list("passage_id", "target")) == {"d1.1": 2, "d1.2": 0, "d1.3": 2}
        Pair.objects.filter(passage_id="d1.1").update(is_withdrawn=True, withdrawn_reason="wrong")
        follow(collection)
        assert Pair.objects.get(passage_id="d1.1").target == 0

    def test_drift_is_measured_not_adjudicated(self, collection):
        factories.import_qrels(collection, "".join(f"q1 0 d1.{n} 2\n" for n in (1, 2, 3)))
        Pair.objects.filter(passage_id="d1.1").update(is_calibration=True)
        follow(collection)
        give(collection, 0, 3)
        assert not Pair.objects.filter(is_disputed=True).exists()


class TestNearDuplicates:
    @pytest.fixture
    def pairs(self, collection):
        """Two follow the first."""
        collections.change_judging(collection=collection, changes={"target": 1, "propagates_duplicates": True})
        [leader, *rest] = Pair.objects.order_by("pk")
        Pair.objects.filter(pk__in=[pair.pk for pair in rest]).update(duplicate_of=leader)
        follow(collection)
        return [leader, *rest]

    def states(self, pairs):
        return [(now(pair).target, now(pair).consensus_grade) for pair in pairs]

    def counters(self, collection):
        collection.refresh_from_db()
        return collection.pairs_wanted, collection.pairs_open

    def test_people_judge_one_and_the_others_take_its_grade_at_once(self, collection, pairs):
        assert self.states(pairs) == [(1, None), (0, None), (0, None)]
        assert self.counters(collection) == (1, 1)
        give(collection, 2)
        assert self.states(pairs) == [(1, 2), (0, 2), (0, 2)]
        assert self.counters(collection) == (1, 0)

    def test_a_change_and_a_decision_reach_them_too(self, collection, pairs):
        [said] = give(collection, 2)
        turns.change(
            assessor=said.assessor,
            judgment_id=said.pk,
            key=uuid.uuid4(),
            answer=judgments.Answer(grade=0),
            now=NOW,
            claims_next=False,
        )
        assert self.states(pairs) == [(1, 0), (0, 0), (0, 0)]
        factories.decide(pairs[0], 3)
        assert self.states(pairs) == [(1, 3), (0, 3), (0, 3)]

    def test_they_are_asked_for_where_the_pair_they_duplicate_is_not(self, collection, pairs):
        factories.import_qrels(collection, f"q1 0 {pairs[0].passage_id} 2\n")
        assert self.states(pairs) == [(0, None), (1, None), (1, None)]
        assert self.counters(collection) == (2, 2)

    @pytest.mark.postgresql
    def test_what_people_said_of_one_itself_counts_until_its_pair_has_a_grade(self, collection):
        own = factories.judge(factories.make_assessor(collection), 1).pair
        other = Pair.objects.exclude(pk=own.pk).earliest("pk")
        Pair.objects.filter(pk=own.pk).update(duplicate_of=other)
        collections.change_judging(collection=collection, changes={"target": 1, "propagates_duplicates": True})
        assert now(own).consensus_grade == 1
        factories.decide(other, 3)
        assert now(own).consensus_grade == 3
        factories.decide(now(own), 0)
        assert now(own).consensus_grade == 0

    @pytest.mark.postgresql
    def test_without_the_setting_each_pair_stands_for_itself(self, collection, pairs):
        give(collection, 2)
        collections.change_judging(collection=collection, changes={"propagates_duplicates": False})
        assert self.states(pairs) == [(1, 2), (1, None), (1, None)]
        assert self.counters(collection) == (3, 2)
