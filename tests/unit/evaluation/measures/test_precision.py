from evaluation.measures import grade_matrix, precision


def test_the_denominator_is_the_cut_off_even_for_a_short_ranking():
    matrix = grade_matrix.build([["d1"]], [{"d1": 2}])
    assert precision.precision(matrix, cutoff=5).tolist() == [1 / 5]


def test_only_grades_from_the_threshold_on_count():
    matrix = grade_matrix.build([["d1", "d2", "u", "spam"]], [{"d1": 1, "d2": 2, "spam": -2}])
    assert precision.precision(matrix, cutoff=4).tolist() == [2 / 4]
    assert precision.precision(matrix, cutoff=4, rel=2).tolist() == [1 / 4]
