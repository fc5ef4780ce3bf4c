"""A table as text for a terminal, its columns aligned."""

from collections.abc import Sequence

from evaluation.tables.table import Cell, Table

_DIGITS = 4


def write(table: Table) -> str:
    """The caption, the heads and the rows; the first column stands left, the others right.

    Numbers have four digits that count, whatever the table's places are, so that small ones are told apart.

    >>> print(write(Table("Means", ("system", "mean"), (("bm25", 0.12345), ("dense", 2e-9)))), end="")
    Means
    system    mean
    bm25    0.1235
    dense    2e-09
    """
    rows = [table.columns, *([_text(cell) for cell in row] for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join([table.caption, *(_line(row, widths) for row in rows), ""])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]).rstrip()


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.{_DIGITS}g}" if isinstance(cell, float) else str(cell)
