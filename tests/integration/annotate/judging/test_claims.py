"""The queue: two people never get the same pair by chance, and no place is lost for ever."""

import itertools
from datetime import timedelta

import pytest

from annotate.judging.operations import judgments, turns
from annotate.judging.queries import activity
from annotate.models import Claim, Collection, Judgment, Pair, PairDraw
from annotate.pairs import pair_states
from tests import at_once, factories
from tests.factories import NOW


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection())


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


def test_two_people_get_different_pairs(collection, assessor):
    first = factories.claim(assessor)
    second = factories.claim(factories.make_assessor(collection))
    assert first.pair_id != second.pair_id


def test_asking_again_serves_the_pair_that_is_held(assessor):
    first = factories.claim(assessor)
    again = factories.claim(assessor, NOW + timedelta(minutes=10))
    assert first.token == again.token
    assert again.expires_at == NOW + timedelta(minutes=40)


def test_pairs_come_topic_by_topic_in_the_order_of_their_keys(assessor):
    served = [factories.judge(assessor).pair for _ in range(6)]
    assert [pair.order_key for pair in served] == sorted(pair.order_key for pair in served)
    topics = [pair.topic_id for pair in served]
    assert len({*topics[:3]}) == len({*topics[3:]}) == 1
    assert factories.claim(assessor) is None


def test_each_of_two_people_finishes_a_topic_before_the_next_whatever_is_skipped_and_comes_again(db):
    settings = {"share_repeated": 50, "repeat_distance": 2, "target": 2}
    collection = factories.make_holes(factories.make_collection(**settings), topics=3, passages=5)
    people = [factories.make_assessor(collection) for _ in range(2)]
    new: dict[int, list[int]] = {one.pk: [] for one in people}
    skipped = set()
    for turn in itertools.cycle(people):
        claim = factories.claim(turn)
        if claim is None:
            break
        is_new = claim.round == 1 and (turn.pk, claim.pair_id) not in skipped
        if is_new:
            new[turn.pk].append(claim.pair.topic_id)
        if is_new and len(new[turn.pk]) in (2, 7):
            skipped.add((turn.pk, claim.pair_id))
            turns.skip(assessor=turn, token=claim.token, now=NOW, claims_next=False)
        else:
            factories.judge(turn)
    for topics in new.values():
        assert len(topics) == 15
        assert len(list(itertools.groupby(topics))) == 3
    assert Judgment.objects.filter(round=2).exists()


def test_a_pair_that_measures_drift_is_always_shown_without_a_suggestion(collection, assessor):
    factories.make_suggestions(collection)
    Collection.objects.update(share_hidden=0, share_shown=100)
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 1\n")
    Pair.objects.filter(passage_id="d1.1").update(is_calibration=True)
    pair_states.refresh(collection=collection, pairs=list(Pair.objects.all()))
    given = [factories.judge(assessor) for _ in range(5)]
    [calibrating] = [judgment for judgment in given if judgment.is_calibration]
    assert calibrating.pair.passage_id == "d1.1"
    assert (calibrating.arm, calibrating.suggestion) == ("HIDDEN", None)
    assert {judgment.arm for judgment in given if judgment != calibrating} == {"SHOWN"}
    assert factories.claim(assessor) is None


@pytest.mark.parametrize(("order", "probability"), [("TOPIC", None), ("INFLUENCE", 1.0)])
def test_an_order_that_adapts_says_with_what_probability_the_pair_was_drawn(collection, assessor, order, probability):
    if order == "INFLUENCE":
        draw = PairDraw.objects.create(collection=collection, kind=order, size=6, frame_version=1, created_at=NOW)
        Collection.objects.update(order=order, pair_draw=draw)
    judgment = factories.judge(assessor)
    assert (judgment.order, judgment.draw_probability) == (order, probability)
    assert judgment.pair_draw == (draw if order == "INFLUENCE" else None)


def test_a_skipped_pair_comes_back_at_the_end_of_the_own_queue(assessor):
    skipped = factories.claim(assessor)
    turns.skip(assessor=assessor, token=skipped.token, now=NOW, claims_next=False)
    rest = [factories.judge(assessor).pair_id for _ in range(5)]
    assert skipped.pair_id not in rest
    assert factories.claim(assessor).pair_id == skipped.pair_id
    assert activity.read_own_progress(assessor) == activity.OwnProgress(judged=5, total=6, skipped=1)
    factories.judge(assessor)
    assert activity.read_own_progress(assessor) == activity.OwnProgress(judged=6, total=6, skipped=0)


def test_skipping_twice_counts_one_pair(assessor):
    for _ in range(12):
        turns.skip(assessor=assessor, token=factories.claim(assessor).token, now=NOW, claims_next=False)
    assert activity.read_own_progress(assessor).skipped == 6


def test_skipped_pairs_come_back_the_longest_ago_first(assessor):
    order = []
    for minute in range(6):
        claim = factories.claim(assessor)
        order.append(claim.pair_id)
        turns.skip(assessor=assessor, token=claim.token, now=NOW + timedelta(minutes=minute), claims_next=False)
    assert factories.claim(assessor).pair_id == order[0]


def test_an_expired_claim_frees_its_pair(collection, assessor):
    held = factories.claim(assessor)
    other = factories.make_assessor(collection)
    assert factories.claim(other, NOW + timedelta(minutes=31)).pair_id == held.pair_id
    held.refresh_from_db()
    assert held.state == Claim.State.EXPIRED


def test_expiry_never_touches_a_judged_pair(collection, assessor):
    judgment = factories.judge(assessor, now=NOW + timedelta(minutes=29, seconds=50))
    factories.let_claims_run_out(collection, NOW + timedelta(hours=2))
    pair = Pair.objects.get(pk=judgment.pair_id)
    assert (pair.counted, pair.places_open) == (1, 0)


def test_the_empty_queue_says_what_others_hold(collection, assessor):
    others = [factories.make_assessor(collection) for _ in range(6)]
    for other in others:
        factories.claim(other)
    assert factories.claim(assessor) is None
    held = activity.count_held_by_others(assessor)
    assert held.pairs == 6
    assert held.free_at == NOW + timedelta(minutes=30)


def test_a_pair_without_text_is_never_served(collection, assessor):
    factories.import_text(collection, "RUN", "q1 Q0 no-text 1 5.0 second\n")
    factories.build_pool(collection)
    served = [factories.judge(assessor).pair.passage_id for _ in range(6)]
    assert "no-text" not in served
    assert factories.claim(assessor) is None
    assert activity.count_without_text(collection) == 1


def test_what_the_reference_graded_is_not_served(collection, assessor):
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 -1\nq2 0 d2.1 -2\n")
    served = {factories.judge(assessor).pair.passage_id for _ in range(4)}
    assert served == {"d1.2", "d1.3", "d2.2", "d2.3"}
    assert factories.claim(assessor) is None


def test_a_held_pair_that_the_reference_closed_is_not_served_again_and_its_grade_is_extra(collection, assessor):
    held = factories.claim(assessor)
    pair = held.pair
    factories.import_qrels(collection, f"{pair.topic.query_id} 0 {pair.passage_id} 2\n")
    assert factories.claim(assessor).pair_id != pair.pk
    held.refresh_from_db()
    assert held.state == Claim.State.EXPIRED
    late = factories.save(
        assessor=assessor, token=held.token, key=held.token, answer=judgments.Answer(grade=1), now=NOW
    )
    assert (late.grade, late.is_extra) == (1, True)


def test_all_claims_that_ran_out_are_ended_at_once(collection, assessor):
    for _ in range(5):
        factories.claim(factories.make_assessor(collection))
    factories.claim(assessor)
    factories.claim(assessor, NOW + timedelta(minutes=31))
    assert Claim.objects.filter(state=Claim.State.OPEN).count() == 1
    assert Pair.objects.filter(places_open=1).count() == 5


@pytest.mark.django_db(transaction=True)
def test_eight_people_at_once_get_eight_different_pairs():
    collection = factories.make_holes(factories.make_collection(), topics=2, passages=4)
    assessors = [factories.make_assessor(collection) for _ in range(8)]
    claimed, faults = at_once.run(lambda assessor: turns.begin(assessor=assessor, now=NOW).claim, assessors)
    assert not faults
    assert len({claim.pair_id for claim in claimed}) == 8
    assert not Pair.objects.filter(places_open__gt=0).exists()


@pytest.mark.django_db(transaction=True)
def test_one_person_in_many_tabs_holds_one_pair():
    collection = factories.make_holes(factories.make_collection())
    assessor = factories.make_assessor(collection)
    claimed, faults = at_once.run(lambda who: turns.begin(assessor=who, now=NOW).claim, [assessor] * 6)
    assert not faults
    assert len({claim.token for claim in claimed}) == 1
    assert Claim.objects.count() == 1
