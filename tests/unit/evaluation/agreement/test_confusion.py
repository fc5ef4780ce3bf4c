import numpy as np
import pytest

from evaluation.agreement import kappa


def test_rows_are_the_first_rater_and_unused_grades_keep_their_place():
    table = kappa.table(np.array([0, 3, 3]), np.array([1, 3, 0]), range(4))
    assert table.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]]


def test_a_scale_need_not_begin_at_0():
    assert kappa.table(np.array([1, 2]), np.array([2, 2]), range(1, 3)).tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("grade", [4, -1])
def test_a_grade_off_the_scale_is_refused(grade):
    with pytest.raises(ValueError, match="not on the scale 0-3"):
        kappa.table(np.array([0]), np.array([grade]), range(4))


def test_no_pair_gives_a_table_of_zeros():
    nothing = np.array([], dtype=np.int64)
    assert kappa.table(nothing, nothing, range(2)).tolist() == [[0, 0], [0, 0]]


def test_binarising_adds_up_the_corners():
    table = np.arange(16).reshape(4, 4)
    assert kappa.binarised(table, range(4), 2).tolist() == [[0 + 1 + 4 + 5, 2 + 3 + 6 + 7], [42, 50]]
    assert kappa.binarised(table, range(4), 2).sum() == table.sum()


def test_each_group_has_its_own_table():
    found = kappa.tables(np.array([0, 1, 1]), np.array([0, 1, 0]), np.array([0, 2, 2]), 3, range(2))
    assert found.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 0]], [[0, 0], [1, 1]]]


def test_many_tables_are_binarised_at_once():
    tables = np.arange(32).reshape(2, 4, 4)
    found = kappa.binarised(tables, range(4), 1)
    assert found.tolist() == [kappa.binarised(table, range(4), 1).tolist() for table in tables]
