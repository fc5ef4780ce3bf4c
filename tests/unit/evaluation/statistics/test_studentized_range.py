import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import significance


@pytest.mark.parametrize(("means", "df"), [(2, 1), (3, 2), (4, 7), (37, 1512)])
def test_it_is_that_of_scipy(means, df):
    q = np.array([0.0, 0.3, 2.0, 4.0, 7.0, 30.0])
    expected = stats.studentized_range.sf(q, means, df)
    assert significance.studentized_range_tail(q, means, df) == pytest.approx(expected, abs=1e-9)


def test_it_falls_from_1_to_0_and_never_leaves_them():
    found = significance.studentized_range_tail(np.linspace(0, 60, 300), 200, 8000)
    assert (found[0], found[-1]) == pytest.approx((1.0, 0.0), abs=1e-9)
    assert (found >= 0.0).all() and (found <= 1.0).all()
    assert (np.diff(found) <= 1e-9).all()


def test_no_pair_has_no_chance():
    assert significance.studentized_range_tail(np.array([]), 1, 5).tolist() == []
