import math

import pytest

from evaluation.measures import dcg, grade_matrix

MATRIX = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1}])


def test_it_sums_gains_over_logarithms_of_ranks():
    assert dcg.dcg(MATRIX).tolist() == pytest.approx([1 + 3 / 2])


def test_it_stops_at_the_cut_off():
    assert dcg.dcg(MATRIX, cutoff=2).tolist() == [1.0]


def test_exponential_gain_is_two_to_the_grade_less_one():
    assert dcg.dcg(MATRIX, gain="exp").tolist() == pytest.approx([1 + 7 / math.log2(4)])


def test_binarised_grades_gain_one_each():
    assert dcg.dcg(MATRIX, rel=2).tolist() == [0.5]


def test_an_empty_ranking_gathers_nothing():
    assert dcg.dcg(grade_matrix.build([[]], [{"d1": 3}])).tolist() == [0.0]
