from dataclasses import fields

import numpy as np
import pytest

from annotate.formats import qrels
from annotate.formats.records import GradeScale
from evaluation.agreement import pairing
from evaluation.engine import rater_agreement
from evaluation.statistics import agreement_intervals
from evaluation.statistics.bootstrap import Interval, Resampling
from tests import shared_data

SCALE = range(4)
NAMES = {field.name for field in fields(agreement_intervals.AgreementIntervals)}


def made_up(topics=15, pairs=20):
    random = np.random.default_rng(2)
    first = {(f"q{t}", f"d{p}"): int(random.integers(0, 4)) for t in range(topics) for p in range(pairs)}
    second = {pair: max(0, min(3, grade + int(random.integers(-1, 3)))) for pair, grade in first.items()}
    return first, second


def listed(found):
    """All intervals by name, those in dictionaries as `kappa.linear`."""
    flat = {}
    for name in NAMES:
        value = getattr(found, name)
        flat |= {name: value} if isinstance(value, Interval) else {f"{name}.{key}": each for key, each in value.items()}
    return flat


def read(*parts):
    return pairing.grades_by_pair(qrels.collect_qrels(qrels.read_qrels(shared_data.path("dl19", *parts))))


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_every_interval_holds_the_figure_of_the_same_name(over):
    first, second = made_up()
    nested = [{}, {}]
    for qrels_of, grades in zip(nested, (first, second), strict=True):
        for (query_id, passage_id), grade in grades.items():
            qrels_of.setdefault(query_id, {})[passage_id] = grade
    figures = rater_agreement.compare(*nested, GradeScale(0, 3))
    for name, interval in listed(
        agreement_intervals.intervals_of_two(first, second, SCALE, 2, Resampling(over))
    ).items():
        field, _, key = name.partition(".")
        value = getattr(figures, field)
        if key:
            value = {str(each): number for each, number in value.items()}[key]
        assert interval.low < value.number < interval.high, name
        assert interval.n == (15 if over == "topics" else 300)


def test_alpha_of_two_raters_is_that_of_any_number():
    first, second = made_up()
    pairs, grades = pairing.side_by_side([first, second])
    _, topics = np.unique([query_id for query_id, _ in pairs], return_inverse=True)
    found = agreement_intervals.intervals_of_two(first, second, SCALE, 2).alpha["ordinal"]
    expected = agreement_intervals.alpha_interval(grades, topics, SCALE)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_on_real_grades_the_interval_over_topics_is_far_wider_than_over_pairs():
    """TREC DL 2019, NIST and a model: .50-.68 over topics and .58-.61 over pairs, by an independent script."""
    nist, model = read("qrels.txt"), read("llm", "umbrela-gpt4o.qrels.gz")
    topics = agreement_intervals.intervals_of_two(nist, model, SCALE, 2).alpha["ordinal"]
    pairs = agreement_intervals.intervals_of_two(nist, model, SCALE, 2, Resampling("pairs")).alpha["ordinal"]
    assert (topics.low, topics.high) == pytest.approx((0.50, 0.68), abs=0.015)
    assert (pairs.low, pairs.high) == pytest.approx((0.58, 0.61), abs=0.006)
    assert (topics.n, pairs.n) == (43, 9260)


def test_raters_without_a_common_pair_have_no_interval_but_reasons():
    found = agreement_intervals.intervals_of_two({("q", "a"): 1}, {("q", "b"): 1}, SCALE, 2)
    assert {each.reason for each in listed(found).values()} == {"an interval over topics needs two of them or more"}


def test_one_grade_only_leaves_the_coefficients_without_an_interval_and_not_the_shares():
    grades = {(topic, "d"): 2 for topic in "abc"}
    found = listed(agreement_intervals.intervals_of_two(grades, grades, SCALE, 2))
    assert {name for name, each in found.items() if each.is_defined} == {"share_equal", "mean_difference", "tau_a"}


@pytest.mark.parametrize("over", ["topics", "pairs"])
def test_several_raters_among_themselves_have_intervals_that_hold_their_figures(over):
    first, second = made_up()
    third = {pair: max(0, grade - 1) for pair, grade in second.items() if pair[1] < "d15"}
    figures = rater_agreement.among([first, second, third], GradeScale(0, 3))
    found = agreement_intervals.intervals_among_people([first, second, third], SCALE, 2, Resampling(over))
    assert found.alpha["ordinal"].low < figures.alpha["ordinal"].number < found.alpha["ordinal"].high
    assert found.kappa["binary"].low < figures.kappa["binary"].number < found.kappa["binary"].high
    assert found.ac1.n == (15 if over == "topics" else 300)
    assert "no order" in found.mean_difference.reason


def test_over_topics_two_raters_among_themselves_have_the_intervals_of_two():
    first, second = made_up()
    two, among = (
        agreement_intervals.intervals_of_two(first, second, SCALE, 2),
        agreement_intervals.intervals_among_people([first, second], SCALE, 2),
    )
    for name, interval in listed(two).items():
        if name != "mean_difference":
            assert (listed(among)[name].low, listed(among)[name].high) == pytest.approx((interval.low, interval.high))


def test_raters_who_share_no_pair_have_no_intervals_among_themselves():
    found = agreement_intervals.intervals_among_people([{("q", "a"): 1}, {("q", "b"): 1}], SCALE, 2)
    assert not any(each.is_defined for each in listed(found).values())
