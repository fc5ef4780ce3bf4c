import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.tables import table
from evaluation.tables.table import Table


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_would_compute_does_not(text):
    (_, (cell,)) = list(csv.reader(io.StringIO(table.write_csv(Table("", ("a",), ((text,),))), newline="")))
    assert cell == "'" + text


def test_a_head_that_would_compute_does_not_either():
    assert table.write_csv(Table("", ("=a",), ())) == "'=a\r\n"


def test_numbers_keep_their_digits_and_their_sign():
    assert table.write_csv(Table("", ("a", "b", "c"), ((-1 / 3, 7, None),))) == "a,b,c\r\n-0.3333333333333333,7,\r\n"


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5))
def test_whatever_is_in_a_cell_it_is_read_again(rows):
    read = list(csv.reader(io.StringIO(table.write_csv(Table("", ("a", "b"), tuple(rows))), newline="")))[1:]
    assert [tuple(cell.removeprefix("'") for cell in row) for row in read] == [
        tuple(cell.removeprefix("'") for cell in row) for row in rows
    ]


def test_a_row_needs_a_cell_for_each_column():
    with pytest.raises(ValueError, match="one cell a column"):
        Table("", ("a", "b"), (("1",),))
