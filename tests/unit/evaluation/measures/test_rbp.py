import pytest

from evaluation.measures import grade_matrix, rbp


def test_grades_count_as_shares_of_the_highest_unless_a_threshold_is_given():
    matrix = grade_matrix.build([["d1", "d3"]], [{"d1": 1, "d3": 3}])
    assert rbp.rbp(matrix, p=0.5).tolist() == pytest.approx([0.5 / 3 + 0.25])
    assert rbp.rbp(matrix, p=0.5, rel=2).tolist() == pytest.approx([0.25])


def test_holes_and_the_tail_are_the_residual_but_junk_is_not():
    matrix = grade_matrix.build([["d1", "u", "spam"]], [{"d1": 0, "spam": -2}])
    assert rbp.rbp(matrix, p=0.5, part="residual").tolist() == pytest.approx([0.25 + 0.125])


def test_base_and_residual_stay_bounds_when_the_holes_are_filled():
    rankings = [["a", "u", "b", "v"]]
    matrix = grade_matrix.build(rankings, [{"a": 2, "b": 0}])
    base, residual = (rbp.rbp(matrix, p=0.8, part=part)[0] for part in ("base", "residual"))
    filled = rbp.rbp(grade_matrix.build(rankings, [{"a": 2, "b": 0, "u": 3, "v": 3}]), p=0.8)[0]
    assert base < filled < base + residual
    assert base + residual - filled == pytest.approx(0.8**4)  # what the tail may still bring


def test_of_an_empty_ranking_nothing_is_known():
    matrix = grade_matrix.build([[]], [{"a": 1}])
    assert rbp.rbp(matrix).tolist() == [0.0]
    assert rbp.rbp(matrix, part="residual").tolist() == [1.0]


def test_a_cut_off_moves_what_is_below_it_into_the_residual():
    matrix = grade_matrix.build([["a", "b"]], [{"a": 3, "b": 3}])
    assert rbp.rbp(matrix, p=0.5, cutoff=1).tolist() == [0.5]
    assert rbp.rbp(matrix, p=0.5, cutoff=1, part="residual").tolist() == [0.5]


def test_the_end_of_a_short_ranking_is_unknown_beside_a_longer_one():
    matrix = grade_matrix.build([["a"], ["a", "b"]], [{"a": 3}, {"a": 3, "b": 0}])
    assert rbp.rbp(matrix, p=0.5, part="residual").tolist() == [0.5, 0.25]
