import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.statistics import many_rankings, pair_counts, rank_correlation
from evaluation.statistics.tau_ap import tau_ap

RANKINGS = arrays(np.float64, st.tuples(st.just(2), st.integers(1, 4), st.integers(1, 7)), elements=st.integers(0, 4))


def equal(found, expected):
    return np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(RANKINGS)
def test_each_tau_b_is_that_of_its_two_rankings(rankings):
    first, second = rankings
    for a, b, found in zip(first, second, many_rankings.tau_bs(first, second), strict=True):
        assert equal(found, rank_correlation.tau_b(pair_counts.of_scores(a, b)).value)


@given(RANKINGS, st.randoms())
def test_each_tau_ap_is_that_of_its_two_rankings(rankings, random):
    names = [f"system{place}" for place in range(rankings.shape[2])]
    random.shuffle(names)
    first, second = rankings
    for a, b, found in zip(first, second, many_rankings.tau_aps(first, second, names), strict=True):
        assert equal(found, tau_ap(a.tolist(), b.tolist(), names).value)


def test_chunks_of_memory_change_nothing(monkeypatch):
    first, second = np.random.default_rng(0).random((2, 20, 6))
    whole = many_rankings.tau_bs(first, second), many_rankings.tau_aps(first, second, "abcdef")
    monkeypatch.setattr(many_rankings, "_CHUNK", 100)
    pieces = many_rankings.tau_bs(first, second), many_rankings.tau_aps(first, second, "abcdef")
    assert all((a == b).all() for a, b in zip(whole, pieces, strict=True))
