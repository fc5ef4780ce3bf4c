import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats.records import GradeScale
from evaluation.engine import rater_agreement
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import Couples

SCALE = GradeScale(0, 3)
grade = st.integers(0, 3)
pairs = st.lists(st.tuples(st.sampled_from("ab"), grade, grade), min_size=1, max_size=15)


def couples(first, second):
    return Couples(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.ones(len(first)))


def qrels(pairs, place):
    found = {}
    for number, pair in enumerate(pairs):
        found.setdefault(pair[0], {})[f"d{number}"] = pair[place]
    return found


@given(pairs)
def test_of_two_raters_the_figures_are_those_of_rater_agreement(pairs):
    expected = rater_agreement.compare(qrels(pairs, 1), qrels(pairs, 2), SCALE)
    given = couples([pair[1] for pair in pairs], [pair[2] for pair in pairs])
    empty, found = agreement_intervals.by_group(given, np.ones(len(pairs), dtype=np.int64), 2, SCALE.grades)
    assert empty.n == 0
    assert found.n == expected.n
    for value, same in (
        (found.kappa, expected.kappa["unweighted"]),
        (found.alpha, expected.alpha["ordinal"]),
        (found.share_equal, expected.share_equal),
        (found.mean_difference, expected.mean_difference),
    ):
        assert value.reason == same.reason
        assert value.value == pytest.approx(same.value, abs=1e-12)


def test_intervals_are_those_of_two_raters():
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    topic = np.repeat(np.arange(12) + 100, 5)
    given = {(str(t), str(n)): (int(a), int(b)) for n, (t, a, b) in enumerate(zip(topic, first, second, strict=True))}
    expected = agreement_intervals.intervals_of_two(
        {pair: each[0] for pair, each in given.items()}, {pair: each[1] for pair, each in given.items()}, range(4), 2
    )
    found = agreement_intervals.intervals(couples(first, second), topic, range(4))
    same = (expected.kappa["unweighted"], expected.alpha["ordinal"], expected.mean_difference)
    for interval, other in zip(found, same, strict=True):
        assert (interval.low, interval.high) == (pytest.approx(other.low), pytest.approx(other.high))
        assert interval.n == 12


def test_of_one_topic_there_is_no_interval_but_a_reason():
    found = agreement_intervals.intervals(couples([0, 1], [0, 1]), np.array([5, 5]), range(4))
    assert {interval.reason for interval in found} == {"an interval over topics needs two of them or more"}


def test_what_is_undefined_has_its_reason_in_json():
    (found,) = agreement_intervals.by_group(couples([1, 1], [1, 1]), np.array([0, 0]), 1, range(4))
    told = found.as_json()
    assert (told["n"], told["kappa"], told["share_equal"]) == (2, None, 1.0)
    assert set(told["reason"]) == {"kappa", "alpha"}


def test_a_grade_off_the_scale_is_refused():
    with pytest.raises(ValueError, match="not on the scale 0-3"):
        agreement_intervals.by_group(couples([4], [0]), np.array([0]), 1, range(4))
