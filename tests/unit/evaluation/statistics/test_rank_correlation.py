import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import rank_correlation


def counts(first, second):
    return rank_correlation.count_scores(first, second)


@pytest.mark.parametrize("seed", range(5))
def test_tau_b_is_that_of_scipy(seed):
    first, second = np.random.default_rng(seed).integers(0, 6, size=(2, 40))
    expected = stats.kendalltau(first, second, variant="b").statistic
    assert rank_correlation.tau_b(counts(first, second)).value == pytest.approx(expected, abs=1e-12)


def test_without_ties_all_three_are_equal():
    found = counts([1, 2, 3, 4], [1, 3, 2, 4])
    for correlation in (rank_correlation.tau_a, rank_correlation.tau_b, rank_correlation.gamma):
        assert correlation(found).value == pytest.approx(2 / 3)


def test_ties_lower_tau_a_and_leave_gamma():
    found = counts([1, 1, 2], [1, 2, 3])
    assert rank_correlation.tau_a(found).value == pytest.approx(2 / 3)
    assert rank_correlation.tau_b(found).value == pytest.approx(2 / 6**0.5)
    assert rank_correlation.gamma(found).value == 1.0


@pytest.mark.parametrize(
    ("first", "second", "who"),
    [([1, 2, 3], [5, 5, 5], "the second"), ([5, 5, 5], [1, 2, 3], "the first"), ([1, 1], [2, 2], "both")],
)
def test_a_constant_vector_leaves_tau_b_and_gamma_undefined_and_tau_a_0(first, second, who):
    found = counts(first, second)
    assert rank_correlation.tau_b(found).reason == f"all values of {who} are equal"
    assert rank_correlation.gamma(found).reason == f"all values of {who} are equal"
    assert rank_correlation.tau_a(found).value == 0.0
    assert rank_correlation.recipe_gamma(found).value == 0.0


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_things_have_no_correlation(values):
    found = counts(values, values)
    gammas = (rank_correlation.gamma, rank_correlation.recipe_gamma)
    for correlation in (rank_correlation.tau_a, rank_correlation.tau_b, *gammas):
        assert correlation(found).reason == "fewer than two to compare"


def test_an_order_and_itself_correlate_by_exactly_1():
    scores = [0.1, 0.1, 0.7, 0.3, 0.3]
    assert rank_correlation.tau_b(counts(scores, scores)).value == 1.0


def test_gamma_is_exactly_that_of_looking_at_every_pair_of_2000_labels():
    """As the recipe of arXiv:2405.04727 does it, in O(n * n)."""
    first, second = np.random.default_rng(11).integers(0, 4, size=(2, 2000))
    concordant = discordant = 0
    for place in range(2000):
        product = (first[place] - first[place + 1 :]) * (second[place] - second[place + 1 :])
        concordant += int((product > 0).sum())
        discordant += int((product < 0).sum())
    found = rank_correlation.gamma(rank_correlation.count_labels(first, second))
    assert found.value == (concordant - discordant) / (concordant + discordant)
