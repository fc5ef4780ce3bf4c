import time

import krippendorff
import numpy as np
import pytest

from evaluation.agreement import alpha
from evaluation.statistics import agreement_intervals, bootstrap
from evaluation.statistics.bootstrap import Resampling

SCALE = range(4)


def made_up(pairs, raters=3, topics=12, seed=1):
    """Grades (raters, pairs) that agree somewhat, a tenth of them missing, and the topic of each pair."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, pairs)
    grades = np.clip(truth + random.integers(-1, 2, (raters, pairs)), 0, 3)
    grades[random.random((raters, pairs)) < 0.1] = -1
    return grades, random.integers(0, topics, pairs)


def naive(grades, topics, over, resamples):
    """The interval as it is told: draw columns, ask `alpha`, take the percentiles."""
    random = np.random.default_rng(99)
    units = [np.flatnonzero(topics == topic) for topic in np.unique(topics)] if over == "topics" else None
    found = []
    for _ in range(resamples):
        if units is None:
            chosen = random.integers(0, grades.shape[1], grades.shape[1])
        else:
            chosen = np.concatenate([units[place] for place in random.integers(0, len(units), len(units))])
        found.append(alpha.alpha(grades[:, chosen], SCALE).number)
    return np.quantile(found, [0.025, 0.975])


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_it_is_the_interval_of_drawing_columns_one_by_one(over):
    grades, topics = made_up(150)
    grades, topics = grades[:, (grades >= 0).sum(axis=0) >= 2], topics[(grades >= 0).sum(axis=0) >= 2]
    found = agreement_intervals.alpha_interval(grades, topics, SCALE, how=Resampling(over, resamples=4000))
    assert (found.low, found.high) == pytest.approx(naive(grades, topics, over, 800), abs=0.015)


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_pairs_graded_once_are_not_drawn_from(over):
    grades, topics = made_up(60)
    more = np.concatenate([grades, [[3], [-1], [-1]]], axis=1)
    how = Resampling(over, resamples=50)
    assert agreement_intervals.alpha_interval(
        more, np.append(topics, 99), SCALE, how=how
    ) == agreement_intervals.alpha_interval(grades, topics, SCALE, how=how)


def test_who_gave_which_grade_does_not_matter():
    grades, topics = made_up(80)
    assert agreement_intervals.alpha_interval(grades, topics, SCALE) == agreement_intervals.alpha_interval(
        grades[::-1], topics, SCALE
    )


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_patterns_that_hold_as_many_grades_are_told_apart(over):
    grades = np.array([[0, 1, 0, 1, 3, 3]] * 2)
    found = agreement_intervals.alpha_interval(grades, np.arange(6), SCALE, how=Resampling(over))
    assert (found.low, found.high) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("grades", "reason"),
    [
        ([[0, 1, 2]], "an interval over topics needs two of them or more"),
        ([[0, -1, 2], [-1, 1, -1]], "an interval over topics needs two of them or more"),
        ([[2, 2, 2], [2, 2, 2]], bootstrap.NEVER_DEFINED),
    ],
)
def test_one_rater_no_common_pair_and_one_grade_are_undefined(grades, reason):
    assert agreement_intervals.alpha_interval(np.array(grades), np.array([0, 1, 2]), SCALE).reason == reason


def test_a_thousand_resamples_of_many_pairs_cost_less_than_ten_values_of_the_library():
    grades, topics = made_up(100_000, raters=2)
    counts = np.stack([(grades == grade).sum(axis=0) for grade in SCALE], axis=1)
    started = time.perf_counter()
    agreement_intervals.alpha_interval(grades, topics, SCALE, how=Resampling("pairs"))
    ours = time.perf_counter() - started
    started = time.perf_counter()
    for _ in range(10):
        krippendorff.alpha(value_counts=counts, value_domain=[0, 1, 2, 3], level_of_measurement="ordinal")
    assert ours < time.perf_counter() - started
