"""Hidden repeats: a pair comes again to the same person, blind, and the second answer changes nothing of the first."""

import uuid

import pytest

from annotate.grades import ratings
from annotate.judging.operations import judgments, turns
from annotate.judging.queries import activity, judging_card
from annotate.models import Collection, Judgment, Membership, Pair
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def make(topics=1, passages=4, **settings):
    return factories.make_holes(
        factories.make_collection(**{"share_repeated": 100, "repeat_distance": 2, **settings}),
        topics=topics,
        passages=passages,
    )


@pytest.fixture
def collection():
    return make()


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


def save(claim, grade=2):
    answer = judgments.Answer(grade=grade, reason="" if grade is not None else "torn")
    return factories.save(assessor=claim.assessor, token=claim.token, key=uuid.uuid4(), answer=answer, now=NOW)


def judge_all(assessor):
    """The round and the pair of each judgment, in their order."""
    done = []
    while claim := factories.claim(assessor):
        judgment = save(claim)
        done.append((judgment.round, judgment.pair_id))
    return done


def test_a_pair_comes_again_after_the_distance_and_once(assessor):
    done = judge_all(assessor)
    first = [pair for number, pair in done if number == 1]
    again = [pair for number, pair in done if number == 2]
    assert sorted(first) == sorted(Pair.objects.values_list("pk", flat=True))
    assert again == first[:2]  # the last two had no two judgments after them
    for pair in again:
        assert done.index((2, pair)) - done.index((1, pair)) > 2


def test_no_pair_comes_again_without_the_setting():
    assessor = factories.make_assessor(make(share_repeated=0))
    assert {number for number, _ in judge_all(assessor)} == {1}


def test_the_choice_is_made_when_the_first_judgment_is_stored(assessor):
    said = [factories.judge(assessor) for _ in range(2)]
    assert [judgment.repeat_from for judgment in said] == [3, 4]
    Collection.objects.update(repeat_distance=9)
    assert factories.judge(assessor).repeat_from == 12


def test_a_repeat_is_stored_as_a_second_round_and_moves_nothing_else(collection, assessor):
    first = factories.judge(assessor, 1)
    for _ in range(2):
        factories.judge(assessor)
    before = Pair.objects.values().get(pk=first.pair_id)
    counters = Membership.objects.values_list("judged", "skipped").get(pk=assessor.pk)
    claim = factories.claim(assessor)
    assert (claim.pair_id, claim.round, claim.arm, claim.suggestion) == (first.pair_id, 2, "HIDDEN", None)
    again = save(claim, 3)
    assert (again.round, again.version, again.grade, again.is_extra, again.repeat_from) == (2, 1, 3, False, None)
    assert Pair.objects.values().get(pk=first.pair_id) == before
    assert Membership.objects.values_list("judged", "skipped").get(pk=assessor.pk) == counters
    first.refresh_from_db()
    assert (first.grade, first.is_current) == (1, True)
    [mine] = ratings.assessor_grades(collection).values()
    assert mine["q1", first.pair.passage_id] == 1
    assert ratings.consensus_grades(collection)["q1", first.pair.passage_id] == 1


def test_the_progress_that_the_person_sees_goes_on_with_a_repeat(assessor):
    for _ in range(3):
        factories.judge(assessor)
    before = activity.read_own_progress(assessor)
    assert factories.judge(assessor).round == 2
    after = activity.read_own_progress(assessor)
    assert (before.judged, after.judged) == (3, 4)
    assert (after.total - after.judged) == (before.total - before.judged)


def test_the_card_of_a_repeat_tells_nothing_of_the_first_answer(assessor):
    first = factories.judge(assessor, 1, comment="my words")
    for _ in range(2):
        factories.judge(assessor)
    card = judging_card.build_claim_card(factories.claim(assessor), NOW)
    assert card.pair == first.pair
    assert (card.judgment, card.suggestion, card.is_suggestion_area) == (None, None, False)


def test_reopening_changes_the_repeat_alone(assessor):
    first = factories.judge(assessor, 1)
    for _ in range(2):
        factories.judge(assessor)
    again = factories.judge(assessor, 3)
    assert activity.newest_judgment(assessor) == again
    changed = turns.change(
        assessor=assessor,
        judgment_id=again.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=0),
        now=NOW,
        claims_next=False,
    ).judgment
    assert (changed.round, changed.version, changed.grade) == (2, 2, 0)
    assert Judgment.objects.get(pair=first.pair, round=1).grade == 1
    assert Pair.objects.get(pk=first.pair_id).consensus_grade == 1


@pytest.mark.postgresql
def test_the_list_of_my_judgments_has_the_first_answers_only(assessor):
    for _ in range(4):
        factories.judge(assessor)
    assert Judgment.objects.filter(round=2).count() == 1
    listed = activity.list_judgments(assessor).object_list
    assert [judgment.round for judgment in listed] == [1, 1, 1]


def test_what_cannot_be_judged_does_not_come_again(assessor):
    factories.judge(assessor, None)
    for _ in range(3):
        factories.judge(assessor)
    assert not Judgment.objects.filter(round=2, pair=Judgment.objects.earliest("pk").pair).exists()


@pytest.mark.parametrize("arm", ["shown", "reveal"])
def test_a_pair_whose_suggestion_was_seen_does_not_come_again(arm):
    collection = make(share_hidden=0, **{f"share_{arm}": 1})
    factories.make_suggestions(collection)
    assessor = factories.make_assessor(collection)
    for _ in range(4):
        judgment = factories.judge(assessor)
        if arm == "reveal":
            turns.decide(assessor=assessor, judgment_id=judgment.pk, grade=1, now=NOW, claims_next=False)
    assert factories.claim(assessor) is None


@pytest.mark.parametrize("arm", ["shown", "reveal"])
def test_a_repeat_is_blind_whatever_the_arm_of_its_pair(arm):
    collection = make(share_hidden=0, **{f"share_{arm}": 1})
    assessor = factories.make_assessor(collection)
    for _ in range(3):  # the model says nothing yet
        assert factories.judge(assessor).suggestion is None
    factories.make_suggestions(collection)
    claim = factories.claim(assessor)
    assert (claim.round, claim.arm, claim.suggestion) == (2, "HIDDEN", None)
    again = save(claim)
    assert (again.suggestion, again.revealed_at) == (None, None)


def test_a_pair_that_is_withdrawn_meanwhile_does_not_come_again(assessor):
    first = factories.judge(assessor)
    for _ in range(2):
        factories.judge(assessor)
    Pair.objects.filter(pk=first.pair_id).update(target=0, counted=0, places_open=0)
    assert factories.claim(assessor).round == 1


def test_a_repeat_that_is_skipped_comes_at_the_end_and_is_counted_as_any_skipped_pair(assessor):
    first = factories.judge(assessor)
    for _ in range(2):
        factories.judge(assessor)
    claim = factories.claim(assessor)
    assert claim.pair_id == first.pair_id
    turns.skip(assessor=assessor, token=claim.token, now=NOW, claims_next=False)
    assert activity.read_own_progress(assessor).skipped == 1
    rest = judge_all(assessor)
    assert rest[-1] == (2, first.pair_id)
    assert activity.read_own_progress(assessor).skipped == 0


def test_a_repeat_whose_claim_ran_out_takes_no_place_and_comes_again(collection, assessor):
    first = factories.judge(assessor)
    for _ in range(2):
        factories.judge(assessor)
    claim = factories.claim(assessor)
    late = claim.expires_at
    factories.let_claims_run_out(collection, late)
    pair = Pair.objects.get(pk=first.pair_id)
    assert (pair.counted, pair.places_open) == (1, 0)
    again = factories.claim(assessor, late)
    assert (again.pair_id, again.round) == (first.pair_id, 2)
    kept = save(claim)  # the old card, in a tab that was left open
    assert kept.round == 2
    with pytest.raises(judgments.AlreadyGraded):
        save(again, 0)


def test_of_two_people_each_gets_the_own_judgments_again():
    collection = make(passages=6, share_repeated=50, target=2, repeat_distance=1)
    people = [factories.make_assessor(collection) for _ in range(2)]
    for assessor in people:
        judge_all(assessor)
    again = [set(Judgment.objects.filter(assessor=who, round=2).values_list("pair", flat=True)) for who in people]
    assert again[0] and again[1] and again[0] != again[1]


def test_a_turn_that_leads_to_a_repeat_tells_it_by_nothing(assessor):
    taken = []
    for _ in range(4):
        turn = turns.begin(assessor=assessor, now=NOW)
        save(turn.claim)
        taken.append(turn)
    assert [turn.claim.round for turn in taken] == [1, 1, 1, 2]
    assert {(turn.is_paused, turn.undecided, turn.mine.skipped) for turn in taken} == {(False, None, 0)}
