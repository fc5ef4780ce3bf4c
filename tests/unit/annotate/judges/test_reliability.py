import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.judges import calibration

GRADES = range(3)


def report(probabilities: list[list[float]], grades: list[int], is_top: list[bool] | None = None) -> calibration.Report:
    return calibration.report_reliability(
        np.array(probabilities).reshape(-1, 3),
        np.array(grades, int),
        of_grades=GRADES,
        relevant_from=1,
        is_top=np.array([False] * len(grades) if is_top is None else is_top, bool),
    )


def test_figures_by_hand():
    found = report([[0.9, 0.1, 0], [0.8, 0.1, 0.1], [0.2, 0.3, 0.5], [0.25, 0.25, 0.5]], [0, 1, 2, 0]).every
    assert found.brier == pytest.approx((0.01 + 0.64 + 0.04 + 0.5625) / 4)
    assert found.ece == pytest.approx((0.1 + 0.8 + 0.2 + 0.75) / 4)
    assert found.excess == pytest.approx((3 - (0.1 + 0.3 + 1.3 + 1.25)) / 4)
    assert found.bins[8] == pytest.approx((0.8, 0.9, 1, 0.8, 1))
    assert found.bins[5] == (0.5, 0.6, 0, None, None)


def test_a_bin_begins_at_its_lower_end_and_the_last_one_has_both():
    found = report([[0.7, 0.3, 0], [0, 0, 1]], [1, 2]).every
    assert (found.bins[3].pairs, found.bins[9].pairs) == (1, 1)


def test_the_top_ten_pool_is_told_apart():
    found = report([[1, 0, 0], [1, 0, 0]], [0, 2], [False, True])
    assert (found.every.pairs, found.every.ece) == (2, 0.5)
    assert (found.top.pairs, found.top.ece, found.top.excess) == (1, 1, 2)


def test_of_no_pairs_nothing_is_said():
    found = report([[1, 0, 0]], [0])
    assert found.top.pairs == 0
    assert (found.top.brier, found.top.ece, found.top.excess) == (None, None, None)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 2), st.booleans()), min_size=1))
def test_all_pairs_are_in_a_bin_and_all_figures_in_their_range(rows):
    found = report([[1 - p, p, 0] for p, _, _ in rows], [grade for _, grade, _ in rows], [top for *_, top in rows])
    for one in found:
        assert sum(each.pairs for each in one.bins) == one.pairs
        assert one.pairs == 0 or (0 <= one.brier <= 1 and 0 <= one.ece <= 1 and -2 <= one.excess <= 2)
