import numpy as np

from evaluation.agreement import alpha, kappa


def test_grades_are_counted_by_pair_and_what_is_off_the_scale_is_missing():
    grades = np.array([[0, 1, -1], [0, 2, 7], [1, 2, 2]])
    assert alpha.grade_counts(grades, range(3)).tolist() == [[2, 1, 0], [0, 1, 2], [0, 0, 1]]


def test_three_grades_of_a_pair_make_six_couples_that_weigh_a_half_each():
    assert alpha.coincidences_of_counts(np.array([2, 1])).tolist() == [[1.0, 1.0], [1.0, 0.0]]


def test_a_pair_with_one_grade_has_no_couple():
    assert not alpha.coincidences_of_counts(np.array([[0, 1], [0, 0]])).any()


def test_the_matrix_of_two_raters_is_their_table_both_ways_round():
    first, second = np.array([0, 1, 1, 2, 2]), np.array([0, 1, 2, 2, 0])
    counts = alpha.grade_counts(np.stack([first, second]), range(3))
    table = kappa.table(first, second, range(3))
    assert alpha.coincidences_of_tables(table).tolist() == alpha.coincidences_of_counts(counts).sum(axis=0).tolist()
