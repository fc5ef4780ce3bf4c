import numpy as np

from evaluation.agreement import kappa


def test_it_is_the_share_on_the_diagonal():
    assert kappa.share_equal(np.array([[3, 1], [0, 4]])).value == 7 / 8


def test_the_difference_is_positive_if_the_second_rater_is_more_generous():
    assert kappa.mean_difference(np.array([[0, 0, 1], [0, 2, 0], [1, 0, 0]])).value == 0.0
    assert kappa.mean_difference(np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])).value == 1.5
    assert kappa.mean_difference(np.array([[0, 0], [3, 1]])).value == -0.75


def test_without_a_pair_both_are_undefined():
    for figure in (kappa.share_equal, kappa.mean_difference):
        assert figure(np.zeros((4, 4), dtype=np.int64)).reason == "no pair was graded by both"


def test_many_tables_at_once_have_the_values_of_each():
    tables = np.array([[[3, 1], [0, 4]], [[0, 0], [3, 1]]])
    assert kappa.shares_equal(tables).tolist() == [kappa.share_equal(table).value for table in tables]
    assert kappa.mean_differences(tables).tolist() == [kappa.mean_difference(table).value for table in tables]
