import itertools
import math

import numpy as np
import pytest

from evaluation.measures import grade_matrix, registry
from evaluation.measures.definition import CannotMeasure

RANKINGS = [["u", "a", "v", "x"]]
JUDGED = [{"a": 2, "c": 1}]
CHANCES = [{"u": [0.5, 0.25, 0.0, 0.25], "v": [0.1, 0.2, 0.3, 0.4]}]


def build(rankings, judged, probabilities, highest=3):
    """The matrix of one run whose holes have chances."""
    coded, rows = grade_matrix.code_uncertain(judged, probabilities, highest=highest)
    codes = grade_matrix.build(rankings, coded, highest=len(rows))
    return grade_matrix.GradeMatrix(codes.grades, codes.judged, highest, rows)


def value(text, judged=JUDGED, probabilities=CHANCES):
    return registry.parse(text).compute(build(RANKINGS, judged, probabilities)).tolist()


def expectation(text):
    """The mean of the measure over all grades that `u` and `v` may have, by their probabilities."""
    measure, total = registry.parse(text), 0.0
    for u, v in itertools.product(range(4), repeat=2):
        matrix = grade_matrix.build(RANKINGS, [{**JUDGED[0], "u": u, "v": v}])
        total += CHANCES[0]["u"][u] * CHANCES[0]["v"][v] * measure.compute(matrix)[0]
    return total


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("DCG@1", 1.0),  # 0.25 * 1 + 0.25 * 3
        ("DCG(gain=exp)@1", 2.0),  # 0.25 * 1 + 0.25 * 7, where the expected grade would gain 2^1 - 1
        ("DCG(gain=0/1/5/10)@1", 2.75),
        ("DCG(rel=2)@3", 0.25 + 1 / math.log2(3) + 0.7 / 2),
        ("P@2", (0.5 + 1) / 2),
        ("P(rel=2)@4", (0.25 + 1 + 0.7) / 4),
        ("RR(rel=2)", 0.25 + 0.75 / 2),
        ("RBP(p=0.5,rel=3)", 0.25 / 2 + 0.4 / 8),
        ("Judged@4", 3 / 4),
    ],
)
def test_expected_gains_and_probabilities_of_relevance_are_those_worked_by_hand(text, by_hand):
    assert value(text) == pytest.approx([by_hand])


@pytest.mark.parametrize(
    "text", ["DCG(gain=exp)", "DCG(gain=1/1/2/9,rel=2)@3", "P(rel=3)@4", "RR", "RR(rel=3)@3", "ERR", "RBP(p=0.9)"]
)
def test_where_no_denominator_depends_on_the_grades_the_value_is_the_expectation(text):
    assert value(text) == pytest.approx([expectation(text)])


def test_the_ideal_of_ndcg_takes_expected_gains_in_falling_order():
    gains = {"u": 2.0, "a": 3.0, "v": 0.2 + 0.3 * 3 + 0.4 * 7, "c": 1.0}
    found = sum(gains[name] / math.log2(rank + 1) for rank, name in enumerate("uav", 1))
    ideal = sum(gains[name] / math.log2(rank + 1) for rank, name in enumerate("vauc", 1))
    assert value("nDCG(gain=exp)") == pytest.approx([found / ideal])
    ideal_at_2 = gains["v"] + gains["a"] / math.log2(3)
    assert value("nDCG(gain=exp)@2") == pytest.approx([(gains["u"] + gains["a"] / math.log2(3)) / ideal_at_2])


def test_recall_and_average_precision_divide_by_the_expected_number():
    expected_relevant = 0.25 + 1 + 0.7
    assert value("R(rel=2)@2") == pytest.approx([(0.25 + 1) / expected_relevant])
    precisions = 0.25 + 1 * (1 + 0.25) / 2 + 0.7 * (1 + 0.25 + 1) / 3
    assert value("AP(rel=2)") == pytest.approx([precisions / expected_relevant])


def test_bpref_has_no_gains_and_refuses_chances():
    with pytest.raises(CannotMeasure, match=r"bpref\(rel=2\) counts judged passages and has no gains to expect"):
        value("bpref(rel=2)")


@pytest.mark.parametrize("name", sorted(registry.definitions().keys() - {"bpref"}))
def test_certain_chances_are_grades(name):
    measure = registry.parse(f"{name}@3")
    rankings = [["d", "a", "b", "u", "c"], ["a", "d"], []]
    grades = [{"a": 3, "b": 0, "c": 2, "d": 1}, {"a": 0, "b": 1}, {"a": 2}]
    sure = [{passage: np.eye(4)[grade] for passage, grade in topic.items()} for topic in grades]
    by_chances = measure.compute(build(rankings, [{}, {}, {}], sure))
    by_grades = measure.compute(grade_matrix.build(rankings, grades))
    assert by_chances.tolist() == pytest.approx(by_grades.tolist(), abs=1e-15)


def test_a_grade_and_junk_stand_before_chances_but_a_hole_does_not():
    probabilities = [dict.fromkeys(("a", "u", "v"), [0.0, 0.0, 0.0, 1.0])]
    assert value("DCG", [{"a": 1, "u": -2, "v": -1}], probabilities) == pytest.approx([1 / math.log2(3) + 3 / 2])


def test_condensing_and_ranges_take_chances_for_judgments():
    assert value("P(unjudged=condensed,rel=2)@3") == pytest.approx([(0.25 + 1 + 0.7) / 3])
    found = registry.parse("P(rel=2)@4").range_of(build(RANKINGS, JUDGED, CHANCES))
    assert [*found.at_lowest, *found.at_highest] == pytest.approx([(0.25 + 1 + 0.7) / 4, (0.25 + 1 + 0.7 + 1) / 4])


def test_a_sum_that_rounding_put_off_is_made_1():
    assert value("P@1", probabilities=[{"u": [0.0, 0.333, 0.333, 0.333]}]) == pytest.approx([1.0], abs=1e-15)


@pytest.mark.parametrize(
    ("probabilities", "reason"),
    [
        ([0.5, 0.5], "passage 'u' has 2 probabilities for the grades 0 to 3"),
        ([0.5, 0.5, 0.5, 0.0], "of passage 'u' are not numbers from 0 that sum to 1"),
        ([1.5, -0.5, 0.0, 0.0], "are not numbers from 0"),
        ([math.nan, 0.5, 0.5, 0.0], "are not numbers from 0"),
    ],
)
def test_what_is_no_distribution_over_the_scale_is_refused_by_name(probabilities, reason):
    with pytest.raises(grade_matrix.NoDistribution, match=reason):
        build(RANKINGS, JUDGED, [{"u": probabilities}])


def test_a_grade_above_the_scale_is_refused():
    with pytest.raises(grade_matrix.GradeOffScale):
        build(RANKINGS, [{"a": 4}], CHANCES)


def test_more_chances_than_a_short_integer_counts_are_kept_apart():
    names = [f"d{n}" for n in range(2**15)]
    probabilities = [{name: ([0.0, 1.0] if name == names[-1] else [1.0, 0.0]) for name in names}]
    matrix = build([names[-2:]], [{}], probabilities, highest=1)
    assert matrix.relevance(1).tolist() == [[0.0, 1.0]]
