from evaluation.studies.design import with_whole_counts
from evaluation.tables.table import Table


def counted(rows, labels):
    return with_whole_counts(Table("", ("first", "second", "third", "fourth")[: len(rows[0])], rows), labels).rows


def test_a_column_of_counts_keeps_its_decimals_where_one_is_not_whole():
    assert counted(((40.0, 1.0), (40.5, 2.0)), ["first", "second"]) == ((40.0, 1), (40.5, 2))


def test_columns_that_are_no_counts_and_cells_without_a_number_stay():
    [row] = counted(((1.0, 2.0, "undefined", None),), ["second", "third", "fourth"])
    assert row == (1.0, 2, "undefined", None)
    assert isinstance(row[0], float) and isinstance(row[1], int)
