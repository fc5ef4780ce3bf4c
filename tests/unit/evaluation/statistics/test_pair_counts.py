from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import pair_counts
from evaluation.statistics.pair_counts import PairCounts


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
    assert pair_counts.of_scores(first, second) == expected


def test_scores_that_differ_in_the_last_bit_do_not_tie():
    counts = pair_counts.of_scores([0.1 + 0.2, 0.3], [1.0, 2.0])
    assert (counts.discordant, counts.tied_first) == (1, 0)


def test_a_million_labels_are_counted_without_overflow():
    table = np.array([[10**6, 0], [0, 10**6]])
    counts = pair_counts.of_table(table)
    assert counts.concordant == 10**12
    assert counts.pairs == (2 * 10**6) * (2 * 10**6 - 1) // 2


def test_vectors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 scores cannot be compared with 3"):
        pair_counts.of_scores([1, 2], [1, 2, 3])
