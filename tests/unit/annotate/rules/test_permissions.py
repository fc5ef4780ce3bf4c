from contextlib import nullcontext

import pytest

from annotate.rules import permissions


def passes_only(where: bool):
    """A context that a check passes, or must not pass."""
    return nullcontext() if where else pytest.raises(permissions.NotAllowed)


@pytest.mark.parametrize(
    ("is_superuser", "own", "theirs", "is_peer", "may"),
    [
        (False, [1, 2], [1], False, True),
        (False, [1], [1, 2], False, False),  # works elsewhere too
        (False, [1], [], False, False),  # a stranger
        (False, [1], [1], True, False),  # another researcher
        (True, [], [1, 2], True, True),
    ],
)
def test_who_may_reset_a_password(is_superuser, own, theirs, is_peer, may):
    facts = {"is_superuser": is_superuser, "own": own, "theirs": theirs, "is_peer": is_peer}
    with passes_only(may):
        permissions.check_reset_password(**facts)


def test_the_exception_is_the_sentence_that_the_person_reads():
    with pytest.raises(permissions.NotAllowed, match="ask an administrator"):
        permissions.check_reset_password(is_superuser=False, own=[1], theirs=[1, 2], is_peer=False)


@pytest.mark.parametrize(
    ("is_researcher", "has_judged", "is_still_to_judge", "may"),
    [
        (False, False, False, True),
        (False, True, False, False),
        (False, False, True, False),
        (False, True, True, False),
        (True, False, False, True),
        (True, True, False, True),
        (True, False, True, False),
        (True, True, True, False),
    ],
)
def test_who_may_adjudicate_a_pair(is_researcher, has_judged, is_still_to_judge, may):
    facts = {"is_researcher": is_researcher, "has_judged": has_judged, "is_still_to_judge": is_still_to_judge}
    with passes_only(may):
        permissions.check_adjudicate(**facts)


def test_who_is_still_to_judge_a_pair_is_told_no_reason_that_gives_a_hidden_repeat_away():
    with pytest.raises(permissions.NotAllowed, match="^This pair is left to other adjudicators"):
        permissions.check_adjudicate(is_researcher=False, has_judged=True, is_still_to_judge=True)


@pytest.mark.parametrize(
    ("hidden", "shown", "reveal", "may"),
    [(0, 100, 0, True), (100, 0, 0, False), (1, 99, 0, False), (0, 99, 1, False), (0, 0, 100, False)],
)
def test_influence_is_weighted_by_a_model_only_where_nobody_grades_blind(hidden, shown, reveal, may):
    shares = {"HIDDEN": hidden, "SHOWN": shown, "REVEAL": reveal}
    with nullcontext() if may else pytest.raises(permissions.NotAllowed, match="what the model thinks"):
        permissions.check_weighting(shares)
