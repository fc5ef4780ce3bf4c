import pytest

from evaluation.agreement import alpha
from evaluation.statistics import agreement_intervals
from evaluation.statistics.bootstrap import Resampling

SCALE = range(4)


def graded(topics, *grades):
    return {
        (f"q{topic}", f"d{place}"): grade
        for topic in range(topics)
        for place, grade in enumerate(grades)
        if grade is not None
    }


def test_missing_grades_are_allowed_and_counted():
    found = agreement_intervals.compare_raters(
        [graded(2, 0, 1, None), graded(2, 0, None, 3), graded(2, 0, 1, None)], SCALE
    )
    assert (found.raters, found.n, found.alone, found.complete) == (3, 4, 2, 2)
    assert {level: value.value for level, value in found.alpha.items()} == {
        "nominal": 1.0,
        "ordinal": 1.0,
        "interval": 1.0,
    }


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([], "fewer than two raters"),
        ([{("q", "a"): 1}], "fewer than two raters"),
        ([{("q", "a"): 1}, {("q", "b"): 1}, {}], alpha.NO_COMMON_PAIR),
        ([{("q", "a"): 1}] * 3, "all grades are equal, so there is no disagreement to expect"),
    ],
)
def test_what_is_undefined_has_its_reason_and_no_interval(given, reason):
    found = agreement_intervals.compare_raters(given, SCALE)
    assert {value.reason for value in found.alpha.values()} == {reason}
    assert not any(each.is_defined for each in agreement_intervals.alpha_intervals(given, SCALE).values())


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_of_two_raters_they_are_alphas_intervals_of_two(over):
    first, second = graded(6, 0, 1, 2, 3, 3, 0), graded(6, 0, 2, 2, 3, 1, 0)
    second["q1", "d0"] = second["q3", "d1"] = 3
    several = agreement_intervals.alpha_intervals([first, second], SCALE, Resampling(over, resamples=2000))
    two = agreement_intervals.intervals_of_two(first, second, SCALE, 2, Resampling(over, resamples=2000))
    for level, interval in several.items():
        assert (interval.low, interval.high) == pytest.approx((two.alpha[level].low, two.alpha[level].high), abs=0.05)
