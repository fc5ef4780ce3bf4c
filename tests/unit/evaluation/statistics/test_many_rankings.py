import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.statistics import rank_correlation
from evaluation.statistics.rank_correlation import spearman, tau_ap

RANKINGS = arrays(np.float64, st.tuples(st.just(2), st.integers(1, 4), st.integers(1, 7)), elements=st.integers(0, 4))


def equal(found, expected):
    return np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("of_many", "of_two"),
    [
        (rank_correlation.tau_bs, lambda a, b: rank_correlation.tau_b(rank_correlation.count_scores(a, b))),
        (rank_correlation.tau_as, lambda a, b: rank_correlation.tau_a(rank_correlation.count_scores(a, b))),
        (rank_correlation.gammas, lambda a, b: rank_correlation.gamma(rank_correlation.count_scores(a, b))),
        (rank_correlation.spearmans, spearman),
    ],
    ids=["tau_b", "tau_a", "gamma", "spearman"],
)
@given(rankings=RANKINGS)
def test_each_correlation_is_that_of_its_two_rankings(of_many, of_two, rankings):
    first, second = rankings
    for a, b, found in zip(first, second, of_many(first, second), strict=True):
        assert equal(found, of_two(a, b).value)


@given(RANKINGS, st.randoms())
def test_each_tau_ap_is_that_of_its_two_rankings(rankings, random):
    names = [f"system{place}" for place in range(rankings.shape[2])]
    random.shuffle(names)
    first, second = rankings
    for a, b, found in zip(first, second, rank_correlation.tau_aps(first, second, names), strict=True):
        assert equal(found, tau_ap(a.tolist(), b.tolist(), names).value)


def test_chunks_of_memory_change_nothing(monkeypatch):
    first, second = np.random.default_rng(0).random((2, 20, 6))
    several = [rank_correlation.tau_bs, rank_correlation.tau_as, rank_correlation.gammas, rank_correlation.spearmans]
    several.append(lambda a, b: rank_correlation.tau_aps(a, b, "abcdef"))
    whole = [correlate(first, second) for correlate in several]
    monkeypatch.setattr(rank_correlation, "_CHUNK", 100)
    pieces = [correlate(first, second) for correlate in several]
    assert all((a == b).all() for a, b in zip(whole, pieces, strict=True))
