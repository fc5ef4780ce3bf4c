import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import bootstrap, rank_correlation, system_pairs
from evaluation.statistics.bootstrap import Resampling
from evaluation.statistics.rank_correlation import spearman, tau_ap

NAMES = [f"s{place}" for place in range(8)]


def made_up(seed, topics=40):
    random = np.random.default_rng(seed)
    strength = np.linspace(0.2, 0.7, len(NAMES))[:, np.newaxis]
    return np.clip(strength + random.normal(0, 0.15, (len(NAMES), topics)), 0, 1)


def test_the_interval_of_a_mean_is_about_two_standard_errors_on_both_sides():
    scores = made_up(1, topics=200)
    for row, found in zip(scores, system_pairs.mean_intervals(scores, NAMES), strict=True):
        error = row.std(ddof=1) / 200**0.5
        assert (found.low, found.high) == pytest.approx(
            (row.mean() - 1.96 * error, row.mean() + 1.96 * error), abs=0.004
        )


def test_the_same_topics_are_drawn_for_all_systems():
    scores = made_up(1)
    first, second = system_pairs.mean_intervals([scores[0], scores[0] + 0.1], ["a", "b"])
    assert (second.low - first.low, second.high - first.high) == pytest.approx((0.1, 0.1))


def test_correlations_have_the_spread_of_leaving_topics_out_one_set_at_a_time():
    reference, other = made_up(1), made_up(2)
    random = np.random.default_rng(7)
    left = [random.permutation(40)[5:] for _ in range(3000)]  # one in seven of 40 topics is left out
    whole = np.arange(40)
    means = [(reference[:, topics].mean(axis=1), other[:, topics].mean(axis=1)) for topics in [whole, *left]]
    expected = {
        "tau_b": [rank_correlation.tau_b(rank_correlation.count_scores(a, b)).number for a, b in means],
        "tau_ap": [tau_ap(a.tolist(), b.tolist(), NAMES).number for a, b in means],
        "tau_a": [rank_correlation.tau_a(rank_correlation.count_scores(a, b)).number for a, b in means],
        "gamma": [rank_correlation.gamma(rank_correlation.count_scores(a, b)).number for a, b in means],
        "spearman": [spearman(a, b).number for a, b in means],
    }
    found = system_pairs.correlation_intervals(reference, other, NAMES, Resampling(resamples=3000))
    assert found.keys() == expected.keys()
    for name, (estimate, *values) in expected.items():
        reach = stats.t.ppf(0.975, 39) * np.sqrt(35 / 5) * np.std(values)
        ends = [max(-1, estimate - reach), min(1, estimate + reach)]
        assert (found[name].low, found[name].high) == pytest.approx(ends, abs=0.02)


@pytest.mark.parametrize("topics", [2, 3, 7, 8, 20, 53])
def test_no_interval_leaves_out_its_correlation(topics):
    random = np.random.default_rng(topics)
    for _ in range(20):
        reference = random.random((8, topics))
        other = reference + random.normal(0, 0.2, (8, topics))
        first, second = reference.mean(axis=1), other.mean(axis=1)
        for name, each in system_pairs.correlation_intervals(reference, other, NAMES).items():
            estimate = {
                "tau_b": rank_correlation.tau_b(rank_correlation.count_scores(first, second)),
                "tau_ap": tau_ap(first.tolist(), second.tolist(), NAMES),
                "tau_a": rank_correlation.tau_a(rank_correlation.count_scores(first, second)),
                "gamma": rank_correlation.gamma(rank_correlation.count_scores(first, second)),
                "spearman": spearman(first, second),
            }[name].number
            assert -1 <= each.low <= estimate + 1e-12 and estimate - 1e-12 <= each.high <= 1


def test_a_ranking_and_itself_correlate_by_1_in_every_resample():
    found = system_pairs.correlation_intervals(made_up(1), made_up(1), NAMES)
    assert [(each.low, each.high) for each in found.values()] == [(1.0, 1.0)] * 5


def test_systems_with_the_same_scores_on_other_topics_tie_in_spite_of_rounding():
    scores = np.array([[0.1, 0.2, 0.3, 0.4]] * 2 + [[0.9, 0.9, 0.9, 0.9]])
    found = system_pairs.correlation_intervals(scores, scores, ["a", "b", "c"])["tau_b"]
    assert (found.low, found.high, found.left_out) == (1.0, 1.0, 0)


@pytest.mark.parametrize(
    ("scores", "names", "reason"),
    [
        ([[0.1], [0.2]], ["a", "b"], "an interval over topics needs two of them or more"),
        (np.zeros((2, 0)), ["a", "b"], "an interval over topics needs two of them or more"),
        ([[0.1, 0.2]], ["a"], bootstrap.NEVER_DEFINED),
    ],
)
def test_one_topic_and_one_system_are_undefined(scores, names, reason):
    found = system_pairs.correlation_intervals(scores, scores, names)
    assert {each.reason for each in found.values()} == {reason}


def test_constant_scores_are_undefined_but_for_tau_a_to_which_a_tie_is_no_agreement():
    found = system_pairs.correlation_intervals([[0.1, 0.1], [0.1, 0.1]], [[0.1, 0.1], [0.1, 0.1]], ["a", "b"])
    tau_a = found.pop("tau_a")
    assert (tau_a.low, tau_a.high) == (0.0, 0.0)
    assert {each.reason for each in found.values()} == {bootstrap.NEVER_DEFINED}


def test_scores_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match="2 topics cannot be compared with 3"):
        system_pairs.correlation_intervals([[0, 1]], [[0, 1, 1]], ["a"])
    with pytest.raises(ValueError, match="no row of topics for each of 2 systems"):
        system_pairs.mean_intervals([[0, 1]], ["a", "b"])
    with pytest.raises(ValueError, match="not a finite number"):
        system_pairs.mean_intervals([[0, float("nan")]], ["a"])
    with pytest.raises(ValueError, match="are topics"):
        system_pairs.mean_intervals([[0, 1]], ["a"], Resampling("pairs"))
