import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import significance


def test_it_is_that_of_scipy():
    first, second = np.random.default_rng(3).random((2, 12, 5))
    expected = stats.ttest_rel(first, second, axis=0).pvalue
    assert significance.paired_t_p_values(first - second) == pytest.approx(expected, abs=1e-9)


def test_a_difference_that_rounding_alone_varies_has_no_spread_to_compare_with():
    differences = np.array([[0.3 - 0.2], [0.5 - 0.4], [0.8 - 0.7]])
    assert np.ptp(differences) > 0
    assert np.isnan(significance.paired_t_p_values(differences)).all()


@pytest.mark.parametrize("topics", [0, 1])
def test_fewer_than_two_topics_have_no_p(topics):
    assert np.isnan(significance.paired_t_p_values(np.ones((topics, 3)))).all()
