import pytest

from evaluation.measures import bpref, grade_matrix


def test_holes_and_junk_do_not_count_against_the_relevant_ones_below_them():
    matrix = grade_matrix.build([["u", "spam", "r"]], [{"r": 1, "spam": -2, "n": 0}])
    assert bpref.bpref(matrix).tolist() == [1.0]


def test_each_relevant_passage_loses_by_the_nonrelevant_ones_above_it():
    matrix = grade_matrix.build(
        [["r1", "n1", "r2", "n2", "r3"]], [{"r1": 1, "r2": 2, "r3": 1, "n1": 0, "n2": 0, "n3": 0}]
    )
    assert bpref.bpref(matrix).tolist() == pytest.approx([(1 + 2 / 3 + 1 / 3) / 3])


def test_the_threshold_makes_low_grades_nonrelevant():
    matrix = grade_matrix.build([["a", "b"]], [{"a": 1, "b": 2}])
    assert bpref.bpref(matrix, rel=2).tolist() == [0.0]


def test_a_topic_without_relevant_or_without_nonrelevant_passages_is_defined():
    matrix = grade_matrix.build([["a"], ["a"]], [{"a": 0}, {"a": 1}])
    assert bpref.bpref(matrix).tolist() == [0.0, 1.0]


def test_no_more_nonrelevant_passages_count_than_there_are_relevant_ones():
    matrix = grade_matrix.build([["n1", "n2", "n3", "r"]], [{"r": 1, "n1": 0, "n2": 0, "n3": 0}])
    assert bpref.bpref(matrix).tolist() == [0.0]


def test_with_fewer_nonrelevant_than_relevant_passages_each_of_them_weighs_more():
    matrix = grade_matrix.build([["r1", "n", "r2"]], [{"r1": 1, "r2": 1, "n": 0}])
    assert bpref.bpref(matrix).tolist() == [(1 + 0) / 2]
