import timeit
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import rank_correlation
from evaluation.statistics.rank_correlation import PairCounts


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_the_counts_are_those_of_looking_at_every_pair(things):
    first, second = [a for a, _ in things], [b for _, b in things]
    signs = [(np.sign(a - c), np.sign(b - d)) for (a, b), (c, d) in combinations(things, 2)]
    expected = PairCounts(
        n=len(things),
        concordant=sum(a * b > 0 for a, b in signs),
        discordant=sum(a * b < 0 for a, b in signs),
        tied_first=sum(a == 0 for a, _ in signs),
        tied_second=sum(b == 0 for _, b in signs),
        tied_both=sum(a == b == 0 for a, b in signs),
    )
    assert rank_correlation.count_scores(first, second) == expected


def test_scores_that_differ_in_the_last_bit_do_not_tie():
    counts = rank_correlation.count_scores([0.1 + 0.2, 0.3], [1.0, 2.0])
    assert (counts.discordant, counts.tied_first) == (1, 0)


def test_a_million_labels_are_counted_without_overflow():
    table = np.array([[10**6, 0], [0, 10**6]])
    counts = rank_correlation.count_table(table)
    assert counts.concordant == 10**12
    assert counts.pairs == (2 * 10**6) * (2 * 10**6 - 1) // 2


def test_vectors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 scores cannot be compared with 3"):
        rank_correlation.count_scores([1, 2], [1, 2, 3])


@given(st.lists(st.tuples(st.integers(-3, 4), st.integers(-3, 4)), max_size=30))
def test_labels_are_counted_as_scores_are(things):
    first, second = (np.array([thing[side] for thing in things], dtype=np.int64) for side in (0, 1))
    assert rank_correlation.count_labels(first, second) == rank_correlation.count_scores(first, second)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_labels_may_be_kept_in_few_bytes(kind):
    first, second = np.random.default_rng(0).integers(0, 101, size=(2, 500))
    assert rank_correlation.count_labels(first.astype(kind), second.astype(kind)) == rank_correlation.count_scores(
        first, second
    )


def test_label_vectors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 labels cannot be compared with 1"):
        rank_correlation.count_labels(np.array([1, 2]), np.array([1]))


def test_a_million_labels_are_counted_faster_than_they_are_sorted():
    first, second = np.random.default_rng(0).integers(0, 4, size=(2, 1_000_000))
    assert fastest(lambda: rank_correlation.count_labels(first, second)) < fastest(
        lambda: np.argsort(first, kind="stable")
    )


def fastest(work):
    return min(timeit.repeat(work, number=1, repeat=5))
