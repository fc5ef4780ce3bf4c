from itertools import product

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import significance


def test_few_topics_are_enumerated_exactly():
    differences = np.array([0.3, 0.1, -0.2, 0.4, 0.05])
    sums = [abs(np.dot(signs, differences)) for signs in product([1, -1], repeat=5)]
    expected = sum(each >= abs(differences.sum()) - 1e-9 for each in sums) / 32
    assert significance.randomisation_p_values(differences[:, np.newaxis]).tolist() == [expected]


def test_sums_that_are_equal_but_for_rounding_count_as_equal():
    """0.1 + 0.2 - 0.3 is not 0 in doubles: all eight signs do at least as much, or four of them."""
    found = significance.randomisation_p_values(np.array([[0.1, 0.1], [0.2, 0.2], [-0.3, 0.3]]))
    assert found.tolist() == [1.0, 0.25]


def test_many_topics_take_random_flips_near_the_exact_p():
    differences = np.random.default_rng(1).normal(0.1, 0.3, size=(16, 4))
    exact = significance.randomisation_p_values(differences)
    found = significance.randomisation_p_values(differences, flips=20_000)
    assert (found != exact).any()
    assert found == pytest.approx(exact, abs=0.015)


def test_it_is_that_of_scipy():
    differences = np.random.default_rng(2).normal(0.1, 0.3, size=10)
    expected = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert significance.randomisation_p_values(differences[:, np.newaxis])[0] == pytest.approx(
        expected.pvalue, abs=1e-12
    )


def test_random_flips_never_give_a_p_of_0_and_the_seed_decides_them():
    differences = np.random.default_rng(2).normal(0.05, 0.3, size=(40, 2)) + [0.0, 5.0]
    once, again, other = (significance.randomisation_p_values(differences, flips=999, seed=seed) for seed in (1, 1, 2))
    assert once[1] == 0.001
    assert once.tolist() == again.tolist()
    assert once[0] != other[0]


def test_chunks_of_memory_change_nothing_when_enumerating(monkeypatch):
    differences = np.random.default_rng(2).normal(0.1, 0.3, size=(9, 3))
    whole = significance.randomisation_p_values(differences)
    monkeypatch.setattr(significance, "_CHUNK", 21)
    assert significance.randomisation_p_values(differences).tolist() == whole.tolist()


def test_systems_without_any_difference_have_p_1():
    assert significance.randomisation_p_values(np.zeros((50, 1)), flips=100).tolist() == [1.0]


@pytest.mark.parametrize("topics", [0, 1])
def test_fewer_than_two_topics_have_no_p(topics):
    assert np.isnan(significance.randomisation_p_values(np.ones((topics, 2)))).all()
