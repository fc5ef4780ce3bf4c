"""A table as CSV (RFC 4180, UTF-8) that a spreadsheet can open without computing anything."""

import csv
import io

from annotate.exports.queries.provenance_table import COMPUTES
from evaluation.tables.table import Cell, Table


def write(table: Table) -> str:
    """The heads and all rows; numbers with all their digits. Text that would compute gets a leading apostrophe.

    >>> write(Table("", ("system", "mean"), (("=1+1", 0.25), ("bm25", None))))
    "system,mean\\r\\n'=1+1,0.25\\r\\nbm25,\\r\\n"
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(map(_safe, table.columns))
    writer.writerows(map(_safe, row) for row in table.rows)
    return stream.getvalue()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(COMPUTES) else cell
