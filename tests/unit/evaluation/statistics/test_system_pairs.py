import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import anova, system_pairs

NAMES = ["a", "b", "c", "d"]
TESTS = [system_pairs.by_tukey, system_pairs.by_t_test, system_pairs.by_randomisation]


@pytest.fixture
def scores():
    random = np.random.default_rng(6)
    topics = random.normal(0.4, 0.15, 30)
    return topics + np.array([[0.0], [0.01], [0.08], [0.3]]) + random.normal(0, 0.08, (4, 30))


@pytest.mark.parametrize("test", TESTS)
def test_pairs_stand_in_the_order_of_the_systems_with_signed_differences(test, scores):
    found = test(scores, NAMES)
    assert [(pair.first, pair.second) for pair in found] == [*map(tuple, ("ab", "ac", "ad", "bc", "bd", "cd"))]
    means = dict(zip(NAMES, scores.mean(axis=1), strict=True))
    for pair in found:
        assert pair.difference == pytest.approx(means[pair.first] - means[pair.second])


@pytest.mark.parametrize("test", TESTS)
def test_a_large_difference_is_significant_and_a_small_one_is_not(test, scores):
    found = {pair.first + pair.second: pair for pair in test(scores, NAMES)}
    assert found["ad"].is_significant and found["ad"].p.number < 0.001
    assert not found["ab"].is_significant and found["ab"].p.number > 0.05


@pytest.mark.parametrize("test", TESTS)
def test_the_level_decides(test, scores):
    p = {pair.first + pair.second: pair.p.number for pair in test(scores, NAMES)}["bc"]
    assert {pair.first + pair.second: pair.is_significant for pair in test(scores, NAMES, p)}["bc"] is False
    assert {pair.first + pair.second: pair.is_significant for pair in test(scores, NAMES, p + 1e-9)}["bc"] is True


def test_tukey_takes_the_error_that_topics_and_systems_leave(scores):
    error = anova.two_way(scores).residual_mean_square.number
    for pair in system_pairs.by_tukey(scores, NAMES):
        expected = stats.studentized_range.sf(abs(pair.difference) / np.sqrt(error / 30), 4, 3 * 29)
        assert pair.p.value == pytest.approx(expected, abs=1e-9)


def test_tukey_of_two_systems_is_the_paired_t_test(scores):
    """The range of two means is their t times the root of two, and with two systems the errors are the same."""
    tukey, t = (test(scores[:2], NAMES[:2])[0].p.number for test in (system_pairs.by_tukey, system_pairs.by_t_test))
    assert tukey == pytest.approx(t, abs=1e-8)


@pytest.mark.parametrize("test", [system_pairs.by_t_test, system_pairs.by_randomisation])
def test_p_is_corrected_for_the_number_of_pairs(test, scores):
    alone = test(scores[[0, 2]], ["a", "c"])[0].p.number
    among = {pair.first + pair.second: pair.p.number for pair in test(scores, NAMES)}["ac"]
    assert among > alone


@pytest.mark.parametrize("test", TESTS)
def test_one_topic_is_undefined_and_never_significant(test):
    [found] = test([[0.1], [0.9]], ["a", "b"])
    assert "there is one topic" in found.p.reason
    assert found.is_significant is False
    assert found.difference == pytest.approx(-0.8)


@pytest.mark.parametrize("test", TESTS)
def test_one_system_has_no_pair_and_no_topic_no_figure(test):
    assert test([[0.1, 0.2]], ["a"]) == ()
    assert test(np.zeros((2, 0)), ["a", "b"])[0].p.reason == "there is no topic"


def test_twins_are_undefined_or_1_and_do_not_weigh_on_the_others():
    scores = np.array([[0.1, 0.5, 0.3], [0.1, 0.5, 0.3], [0.4, 0.6, 0.5]])
    twins, *_ = system_pairs.by_t_test(scores, list("abc"))
    assert twins.p.reason == system_pairs.SAME_DIFFERENCE
    assert system_pairs.by_randomisation(scores, list("abc"))[0].p.value == 1.0
    assert system_pairs.by_tukey(scores, list("abc"))[0].p.value == pytest.approx(1.0)


def test_scores_that_topics_and_systems_explain_leave_tukey_undefined():
    [found] = system_pairs.by_tukey([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]], ["a", "b"])
    assert found.p.reason == system_pairs.ALL_EXPLAINED


@pytest.mark.parametrize("test", TESTS)
def test_equal_means_differ_by_exactly_0(test):
    [found] = test([[0.1, 0.2, 0.3, 0.5], [0.3, 0.1, 0.5, 0.2]], ["a", "b"])
    assert found.difference == 0.0
    assert not found.is_significant


@pytest.mark.parametrize("test", TESTS)
def test_scores_that_are_no_matrix_of_the_systems_are_refused(test):
    with pytest.raises(ValueError, match="for each of 2 systems"):
        test([[0.1, 0.2]], ["a", "b"])
