import numpy as np

from annotate.formats.records import GradeScale
from evaluation.pages.agreement import figures


def test_cells_are_shares_of_their_row_and_the_darker_the_larger():
    found = figures.heat_rows(np.array([[3, 1], [0, 2]]), GradeScale(0, 1))
    assert [(row.grade, row.total) for row in found] == [(0, 4), (1, 2)]
    assert [[cell.share for cell in row.cells] for row in found] == [[0.75, 0.25], [0.0, 1.0]]
    assert [[cell.of_column for cell in row.cells] for row in found] == [[1.0, 1 / 3], [0.0, 2 / 3]]
    assert [[cell.heat for cell in row.cells] for row in found] == [[7, 2], [0, 9]]
    assert [[cell.is_equal for cell in row.cells] for row in found] == [[True, False], [False, True]]


def test_columns_have_totals_and_the_last_one_is_of_all():
    assert figures.heat_totals(np.array([[3, 1], [0, 2]])) == [3, 3, 6]


def test_a_grade_that_the_first_rater_never_gave_has_an_empty_row():
    found = figures.heat_rows(np.zeros((2, 2), dtype=int), GradeScale(1, 2))
    assert [(row.grade, row.total, row.cells[0].share) for row in found] == [(1, 0, 0.0), (2, 0, 0.0)]
