import pytest

from evaluation.measures import err, grade_matrix


def test_a_good_passage_above_hides_those_below():
    matrix = grade_matrix.build([["d3", "u", "d1"]], [{"d3": 3, "d1": 1}])
    assert err.err(matrix).tolist() == pytest.approx([7 / 8 + 1 / 3 * (1 / 8) * (1 / 8)])
    assert err.err(matrix, cutoff=2).tolist() == pytest.approx([7 / 8])


def test_the_highest_grade_is_that_of_the_scale_and_not_of_the_topic():
    assert err.err(grade_matrix.build([["a"]], [{"a": 1}], highest=1)).tolist() == [1 / 2]
    assert err.err(grade_matrix.build([["a"]], [{"a": 1}], highest=3)).tolist() == [1 / 8]


def test_an_empty_ranking_is_0():
    assert err.err(grade_matrix.build([[]], [{"a": 1}])).tolist() == [0.0]
