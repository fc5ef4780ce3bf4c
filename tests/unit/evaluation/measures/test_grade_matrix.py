import numpy as np
import pytest

from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import EMPTY, JUNK, UNJUDGED


def test_a_passage_without_a_grade_and_grade_minus_one_are_both_holes():
    matrix = grade_matrix.build([["unknown", "pooled"]], [{"pooled": -1}])
    assert matrix.grades.tolist() == [[UNJUDGED, UNJUDGED]]
    assert matrix.n_judged().tolist() == [0]


def test_grades_below_minus_one_are_junk_and_not_judged():
    matrix = grade_matrix.build([["spam", "worse"]], [{"spam": -2, "worse": -3}])
    assert matrix.grades.tolist() == [[JUNK, JUNK]]
    assert matrix.n_judged().tolist() == [0]


def test_short_rankings_are_filled_up_with_empty_cells():
    matrix = grade_matrix.build([["a", "b"], []], [{"a": 1, "b": 0}, {"a": 2}])
    assert matrix.grades.tolist() == [[1, 0], [EMPTY, EMPTY]]


def test_the_judged_grades_come_from_the_qrels_and_fall():
    matrix = grade_matrix.build([["a"]], [{"b": 1, "c": 3, "d": 0, "e": -1}])
    assert matrix.judged.tolist() == [[3, 1, 0]]
    assert matrix.n_relevant(1).tolist() == [2]
    assert matrix.n_relevant(2).tolist() == [1]


def test_a_grade_above_the_scale_is_refused_by_name():
    with pytest.raises(grade_matrix.GradeOffScale, match="grade 3 is above 2"):
        grade_matrix.build([["a"]], [{"a": 3}], highest=2)


def test_holes_junk_and_ends_gain_nothing_even_if_grade_0_gains_something():
    matrix = grade_matrix.build([["n", "u", "spam", "r"], ["n"]], [{"n": 0, "spam": -2, "r": 1}, {"n": 0}], highest=1)
    worth = np.array([1.0, 2.0])
    assert matrix.gains(worth).tolist() == [[1, 0, 0, 2], [1, 0, 0, 0]]
    assert matrix.gains(worth, 2).tolist() == [[1, 0], [1, 0]]
    assert matrix.ideal_gains(worth).tolist() == [[2, 1], [1, 0]]
    assert matrix.ideal_gains(worth, 1).tolist() == [[2], [1]]


def test_relevance_is_1_from_the_grade_on():
    matrix = grade_matrix.build([["a", "u", "b"]], [{"a": 1, "b": 2}])
    assert matrix.relevance(2).tolist() == [[0, 0, 1]]
    assert matrix.relevance(1, 2).tolist() == [[1, 0]]
    assert matrix.relevance(4).tolist() == [[0, 0, 0]]


def test_a_matrix_without_topics_and_one_without_ranks_can_be_built():
    assert grade_matrix.build([], []).grades.shape == (0, 0)
    assert grade_matrix.build([[]], [{"a": 1}]).grades.shape == (1, 0)


def test_rankings_and_grades_of_different_numbers_of_topics_are_refused():
    with pytest.raises(ValueError):
        grade_matrix.build([["a"]], [])


def test_cutting_takes_the_first_ranks_of_any_leading_axes():
    grades = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    assert grade_matrix.cut(grades, 2).shape == (2, 3, 2)
    assert grade_matrix.cut(grades, None).shape == (2, 3, 4)
