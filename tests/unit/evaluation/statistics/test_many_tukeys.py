import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.statistics import significance, system_pairs

SCORES = arrays(
    np.float64,
    st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 6)),
    elements=st.integers(0, 10).map(lambda tenths: tenths / 10),
)


@given(SCORES, st.sampled_from([0.01, 0.05, 0.2]))
def test_who_is_ahead_is_what_the_test_of_each_matrix_says(scores, level):
    names = [f"s{place}" for place in range(scores.shape[1])]
    found = significance.signs_by_tukey(scores, level)
    for matrix, row in zip(scores, found, strict=True):
        pairs = system_pairs.by_tukey(matrix, names, level)
        assert row.tolist() == [int(np.sign(pair.difference)) * pair.is_significant for pair in pairs]


@pytest.mark.parametrize(("means", "df", "level"), [(2, 5, 0.05), (60, 2478, 0.05), (10, 100, 0.001)])
def test_the_critical_range_is_passed_as_often_as_the_level_says(means, df, level):
    q = significance.tukey_critical_range(means, df, level)
    assert significance.studentized_range_tail(np.array([q]), means, df) == pytest.approx(level, abs=1e-6)


def test_a_range_that_nothing_passes_is_infinite():
    assert significance.tukey_critical_range(20, 1, 1e-4) == float("inf")
