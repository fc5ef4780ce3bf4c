import pytest

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
