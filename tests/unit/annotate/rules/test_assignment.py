import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules import assignment

HALVES = {"HIDDEN": 50, "SHOWN": 25, "REVEAL": 25}


def arm(unit="PAIR", seed=1, query_id="q", passage_id="d", assessor="a", shares=HALVES):
    return assignment.assign_arm(shares, unit, seed, query_id=query_id, passage_id=passage_id, assessor=assessor)


def test_the_shares_are_met_over_many_pairs():
    arms = [arm(passage_id=f"d{n}") for n in range(8000)]
    for name, share in HALVES.items():
        assert abs(arms.count(name) / 8000 - share / 100) < 0.02


def test_an_arm_without_a_share_is_never_drawn():
    shares = {"HIDDEN": 0, "SHOWN": 1, "REVEAL": 0}
    assert {arm(passage_id=f"d{n}", shares=shares) for n in range(500)} == {"SHOWN"}


@pytest.mark.parametrize(
    ("unit", "moves"), [("PAIR", {"query_id", "passage_id"}), ("TOPIC", {"query_id"}), ("ASSESSOR", {"assessor"})]
)
def test_an_arm_depends_on_its_unit_and_on_nothing_else(unit, moves):
    for name in ("query_id", "passage_id", "assessor"):
        arms = {arm(unit=unit, **{name: f"x{n}"}) for n in range(100)}
        assert (len(arms) > 1) == (name in moves)


@pytest.mark.parametrize(
    ("given", "before_reveal", "first"),
    [
        (1, None, 1),  # nothing was revealed: a slip is corrected
        (1, 2, 2),  # after the reveal the blind grade stays
        (1, 0, 0),
        (None, 2, None),  # "cannot judge" has no grade at all
    ],
)
def test_which_grade_counts_as_given_at_the_save(given, before_reveal, first):
    assert assignment.first_grade(given=given, before_reveal=before_reveal) == first


@pytest.mark.parametrize("arm", assignment.ARMS)
@pytest.mark.parametrize(
    ("is_calibration", "is_repeat", "is_hidden"),
    [(False, False, False), (True, False, True), (False, True, True), (True, True, True)],
)
def test_what_measures_the_person_is_shown_without_a_suggestion(arm, is_calibration, is_repeat, is_hidden):
    shown = assignment.arm_of_claim(arm, is_calibration=is_calibration, is_repeat=is_repeat)
    assert shown == (assignment.HIDDEN if is_hidden else arm)


PASSAGES = [f"p{n}" for n in range(2_000)]


def several(share, seed=1):
    return {p for p in PASSAGES if assignment.assign_target(1, 3, share, seed, query_id="q", passage_id=p) == 3}


def test_about_the_share_of_the_pairs_is_judged_by_several():
    assert abs(len(several(20)) / len(PASSAGES) - 0.2) < 0.03


def test_none_and_all_are_exact():
    assert several(0) == set()
    assert several(100) == set(PASSAGES)


def test_a_share_that_grows_keeps_the_pairs_that_it_had():
    assert several(10) < several(20) < several(60)


def test_another_seed_takes_other_pairs():
    assert several(20, seed=1) != several(20, seed=2)


@given(st.integers(1, 100), st.integers(2, 100), st.integers(0, 100), st.integers(), st.text(), st.text())
def test_the_target_is_one_of_the_two_and_the_same_each_time(usual, more, share, seed, query_id, passage_id):
    asked = [
        assignment.assign_target(usual, more, share, seed, query_id=query_id, passage_id=passage_id) for _ in range(2)
    ]
    assert asked[0] == asked[1] and asked[0] in (usual, more)


def due(share, passage_id="p", assessor="a", judged=7, seed=1):
    return assignment.schedule_repeat(
        share, 20, seed, query_id="q", passage_id=passage_id, assessor=assessor, judged=judged
    )


def chosen(assessor, seed=1):
    return {n for n in range(3_000) if due(10, f"p{n}", assessor, seed=seed)}


def test_as_many_judgments_as_the_distance_says_lie_between_the_two():
    assert due(100, judged=7) == 27


def test_no_share_repeats_nothing():
    assert due(0) is None


def test_about_the_share_of_a_persons_judgments_comes_again():
    assert abs(len(chosen("a")) / 3_000 - 0.1) < 0.02


def test_each_person_gets_other_pairs_again_and_another_seed_others():
    assert chosen("a") != chosen("b")
    assert chosen("a") != chosen("a", seed=2)
