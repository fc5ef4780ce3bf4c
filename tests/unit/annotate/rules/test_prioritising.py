from contextlib import nullcontext

import pytest

from annotate.rules import permissions


@pytest.mark.parametrize(
    ("hidden", "shown", "reveal", "may"),
    [(0, 100, 0, True), (100, 0, 0, False), (1, 99, 0, False), (0, 99, 1, False), (0, 0, 100, False)],
)
def test_influence_is_weighted_by_a_model_only_where_nobody_grades_blind(hidden, shown, reveal, may):
    shares = {"HIDDEN": hidden, "SHOWN": shown, "REVEAL": reveal}
    with nullcontext() if may else pytest.raises(permissions.NotAllowed, match="what the model thinks"):
        permissions.check_weighting(shares)
