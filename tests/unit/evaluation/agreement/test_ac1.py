import numpy as np
import pytest

from evaluation.agreement import kappa

GWET = np.array([[118, 5], [2, 0]])


def test_it_stays_high_where_kappa_falls_to_nothing_although_nearly_all_grades_are_equal():
    """Worked by hand: agreed 118/125, share of the first grade (123 + 120) / 250, chance 2 * p * (1 - p)."""
    share = 243 / 250
    chance = 2 * share * (1 - share)
    assert kappa.ac1(GWET).value == pytest.approx((118 / 125 - chance) / (1 - chance))


def test_a_grade_that_nobody_used_counts_among_the_grades_of_the_scale():
    """Four grades, two used by each half: chance is 2 * (1/2 * 1/2) / 3."""
    table = np.diag([2, 2, 0, 0])
    table[0, 1] = table[1, 0] = 1
    assert kappa.ac1(table).value == pytest.approx((4 / 6 - 1 / 6) / (1 - 1 / 6))


def test_one_grade_for_everything_is_undefined_and_not_1():
    assert kappa.ac1(np.diag([0, 5, 0, 0])).reason == kappa.ONE_GRADE_AC1


def test_two_different_constant_grades_are_defined():
    assert kappa.ac1(np.array([[0, 4], [0, 0]])).value == -1.0


def test_without_a_pair_it_is_undefined():
    assert kappa.ac1(np.zeros((4, 4), dtype=np.int64)).reason == "no pair was graded by both"


def test_many_tables_at_once_have_the_values_of_each():
    tables = np.array([[GWET, np.diag([3, 0])], [np.zeros((2, 2), dtype=np.int64), [[1, 2], [3, 4]]]])
    found = kappa.ac1s(tables)
    assert found[0, 0] == kappa.ac1(GWET).value
    assert found[1, 1] == kappa.ac1(tables[1, 1]).value
    assert np.isnan([found[0, 1], found[1, 0]]).all()
