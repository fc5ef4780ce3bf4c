import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.agreement import kappa
from evaluation.statistics.rank_correlation import spearman, spearman_of_table

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30)


@given(SCORES.filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True))))
def test_it_is_that_of_scipy_with_ties(pairs):
    first, second = zip(*pairs, strict=True)
    assert spearman(first, second).value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)


def test_an_order_and_itself_correlate_by_exactly_1():
    assert spearman([0.1, 0.1, 0.7, 0.3], [0.1, 0.1, 0.7, 0.3]).value == 1.0
    assert spearman([1, 2, 3], [3, 2, 1]).value == -1.0


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "fewer than two to compare"),
        ([1], [2], "fewer than two to compare"),
        ([1, 1], [1, 2], "all values of the first are equal"),
        ([1, 2], [1, 1], "all values of the second are equal"),
        ([1, 1], [2, 2], "all values of both are equal"),
    ],
)
def test_what_has_no_order_is_undefined(first, second, reason):
    assert spearman(first, second).reason == reason


def test_vectors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 scores cannot be compared with 3"):
        spearman([1, 2], [1, 2, 3])


LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@given(LABELS)
def test_of_label_vectors_the_contingency_table_tells_the_same(labels):
    first, second = ([pair[side] for pair in labels] for side in (0, 1))
    table = kappa.table(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), range(4))
    found, alone = spearman_of_table(table), spearman(first, second)
    assert found.reason == alone.reason
    assert found.value == pytest.approx(alone.value, abs=1e-12)
