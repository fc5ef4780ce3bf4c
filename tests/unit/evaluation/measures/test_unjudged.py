import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from evaluation.measures import grade_matrix, registry, unjudged
from evaluation.measures.grade_matrix import EMPTY, JUNK

MATRIX = grade_matrix.build([["d1", "u1", "d2", "u2"]], [{"d1": 1, "d2": 2, "d3": 3}])


def range_of(text, matrix=MATRIX):
    return registry.parse(text).range_of(matrix)


def test_condensing_keeps_the_order_of_the_judged_and_takes_out_all_else():
    matrix = grade_matrix.build([["u", "a", "spam", "b"]], [{"a": 0, "b": 2, "spam": -2}])
    assert unjudged.condensed(matrix).grades.tolist() == [[0, 2, EMPTY, EMPTY]]


def test_filling_gives_a_grade_to_holes_alone_and_to_the_ideal():
    matrix = grade_matrix.build([["u", "spam", "a", "v"], ["b"]], [{"a": 1, "spam": -2}, {"b": 0}])
    filled = unjudged.filled(matrix, 3, cutoff=3)
    assert filled.grades.tolist() == [[3, JUNK, 1], [0, EMPTY, EMPTY]]
    assert filled.judged.tolist() == [[3, 1, EMPTY, EMPTY], [0, EMPTY, EMPTY, EMPTY]]


def test_filling_keeps_leading_axes_apart():
    trials = np.array([[[1, -1, 2, -1]], [[1, 0, 2, -1]]], dtype=np.int16)
    filled = unjudged.filled(replace(MATRIX, grades=trials), 3)
    assert filled.grades.tolist() == [[[1, 3, 2, 3]], [[1, 0, 2, 3]]]
    assert [(row >= 0).sum() for row in filled.judged[:, 0]] == [5, 4]


@pytest.mark.parametrize(
    ("text", "lowest", "highest"),
    [
        ("DCG@3", 1 + 2 / 2, 1 + 3 / math.log2(3) + 2 / 2),
        ("DCG(rel=2)@3", 1 / 2, 1 / math.log2(3) + 1 / 2),
        ("DCG(gain=1/2/3/4)@2", 2 + 1 / math.log2(3), 2 + 4 / math.log2(3)),
        ("P@4", 2 / 4, 4 / 4),
        ("P(rel=2)@2", 0, 1 / 2),
        ("RR(rel=2)", 1 / 3, 1 / 2),
        ("ERR@2", 1 / 8, 1 / 8 + 7 / 8 * 7 / 8 / 2),
        ("RBP(p=0.5)@2", 1 / 6, 1 / 6 + 1 / 4 + 1 / 4),
        ("RBP(p=0.5,rel=2,part=base)", 1 / 8, 1 / 8 + 1 / 4 + 1 / 16 + 1 / 16),
    ],
)
def test_bounds_have_the_values_worked_by_hand(text, lowest, highest):
    found = range_of(text)
    assert found.name == "bounds"
    assert found.at_lowest.tolist() == pytest.approx([lowest])
    assert found.at_highest.tolist() == pytest.approx([highest])


@pytest.mark.parametrize(
    ("text", "lowest", "highest"),
    [
        ("nDCG@2", 1 / (3 + 2 / math.log2(3)), (1 + 3 / math.log2(3)) / (3 + 3 / math.log2(3))),
        ("R@3", 2 / 3, 3 / 4),
        ("AP@2", 1 / 3, (1 + 1) / 4),
    ],
)
def test_measures_whose_denominator_moves_have_a_sensitivity_range(text, lowest, highest):
    found = range_of(text)
    assert found.name == "sensitivity range"
    assert found.at_lowest.tolist() == pytest.approx([lowest])
    assert found.at_highest.tolist() == pytest.approx([highest])


def test_the_sensitivity_range_of_ndcg_is_no_bound():
    rankings = [["a", "u", "v"]]
    found = range_of("nDCG", grade_matrix.build(rankings, [{"a": 1}]))
    assert found.at_highest[0] < found.at_lowest[0] == 1.0
    filled = grade_matrix.build(rankings, [{"a": 1, "u": 0, "v": 3}])
    assert registry.parse("nDCG").compute(filled)[0] < found.at_highest[0]


@pytest.mark.parametrize(
    "text", ["DCG(gain=exp)@3", "DCG(gain=1/2/2/5)", "P(rel=2)@4", "RR(rel=3)", "ERR", "RBP(p=0.9)", "RBP(rel=2)@3"]
)
def test_no_filling_of_the_holes_leaves_the_bounds(text):
    measure = registry.parse(text)
    found = measure.range_of(MATRIX)
    for first, second in itertools.product(range(4), repeat=2):
        filled = replace(MATRIX, grades=np.array([[1, first, 2, second]], dtype=np.int16))
        value = measure.compute(filled)
        assert found.at_lowest - 1e-12 <= value <= found.at_highest + 1e-12


@pytest.mark.parametrize(
    "text", ["DCG(unjudged=condensed)@3", "nDCG(unjudged=condensed)", "bpref", "Judged@10", "RBP(part=residual)"]
)
def test_a_measure_that_looks_at_no_hole_has_no_range(text):
    assert range_of(text) is None


@pytest.mark.parametrize("text", ["nDCG@2", "DCG@2", "P@2", "R@2", "AP@2", "RR@2", "ERR@2", "RBP@2"])
def test_holes_below_the_cut_off_change_nothing(text):
    shallow = replace(MATRIX, grades=MATRIX.grades[..., :2])
    assert range_of(text).at_highest.tolist() == range_of(text, shallow).at_highest.tolist()


@pytest.mark.parametrize("text", ["nDCG@4", "DCG", "P@4", "R", "AP", "RR", "ERR"])
def test_without_holes_both_ends_are_the_value(text):
    measure = registry.parse(text)
    judged = grade_matrix.build([["a", "b", "c", "d"]], [{"a": 0, "b": 2, "c": 1, "d": -2}])
    found = measure.range_of(judged)
    assert found.at_lowest.tolist() == found.at_highest.tolist() == measure.compute(judged).tolist()
