import pytest

from evaluation.measures import average_precision, grade_matrix

MATRIX = grade_matrix.build([["d1", "u", "d2", "d3"]], [{"d1": 1, "d2": 2, "d3": 3, "d4": 1}])


def test_it_averages_precision_over_all_relevant_passages_found_or_not():
    assert average_precision.average_precision(MATRIX).tolist() == pytest.approx([(1 + 2 / 3 + 3 / 4) / 4])


def test_a_cut_off_leaves_the_denominator():
    assert average_precision.average_precision(MATRIX, cutoff=3).tolist() == pytest.approx([(1 + 2 / 3) / 4])


def test_the_threshold_chooses_who_is_relevant():
    assert average_precision.average_precision(MATRIX, rel=2).tolist() == pytest.approx([(1 / 3 + 2 / 4) / 2])


def test_a_topic_without_a_relevant_passage_is_0():
    assert average_precision.average_precision(grade_matrix.build([["a"]], [{}])).tolist() == [0.0]
