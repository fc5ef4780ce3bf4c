"""The matrix of all raters as a table: one line for each two."""

from collections.abc import Sequence

from evaluation.queries.agreement_matrix import Row
from evaluation.tables.table import Table, cell


def of(rows: Sequence[Row]) -> Table:
    """Each two raters once, in the order of the matrix."""
    lines = [
        (found.first.words, found.second.words, found.n, cell(found.alpha))
        for place, row in enumerate(rows)
        for found in row.cells[place + 1 :]
        if found is not None
    ]
    return Table("Agreement of all raters", ("first", "second", "pairs", "alpha, ordinal"), tuple(lines), places=3)
