import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import pairing


@given(st.lists(st.integers(0, 5), max_size=12))
def test_each_grade_stands_against_all_others_of_its_pair_and_counts_once(pair):
    found = pairing.compare_with_others(np.array(pair, dtype=np.int64))
    couples = list(zip(found.own.tolist(), found.other.tolist(), found.weight.tolist(), strict=True))
    expected = [
        (own, other, 1 / (pair.count(pair[own]) - 1))
        for own in range(len(pair))
        for other in range(len(pair))
        if own != other and pair[own] == pair[other]
    ]
    assert sorted(couples) == sorted(expected)
