from evaluation.studies.design import reporting


def test_a_column_of_counts_keeps_its_decimals_where_one_is_not_whole():
    assert reporting.whole_counts([(40.0, 1.0), (40.5, 2.0)], [0, 1]) == ((40.0, 1), (40.5, 2))


def test_columns_that_are_no_counts_and_cells_without_a_number_stay():
    [row] = reporting.whole_counts([(1.0, 2.0, "undefined", None)], [1, 2, 3])
    assert row == (1.0, 2, "undefined", None)
    assert isinstance(row[0], float) and isinstance(row[1], int)
