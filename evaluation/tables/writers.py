"""A table as text: CSV for a spreadsheet, LaTeX for a paper, aligned columns for a terminal."""

import csv
import io
from collections.abc import Sequence

from annotate.exports.rules import COMPUTES
from evaluation.tables.table import Cell, Table


def write_csv(table: Table) -> str:
    """The heads and all rows; numbers with all their digits. Text that would compute gets a leading apostrophe.

    >>> write_csv(Table("", ("system", "mean"), (("=1+1", 0.25), ("bm25", None))))
    "system,mean\\r\\n'=1+1,0.25\\r\\nbm25,\\r\\n"
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(map(_safe, table.columns))
    writer.writerows(map(_safe, row) for row in table.rows)
    return stream.getvalue()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(COMPUTES) else cell


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # A row may not begin with a bracket: \\ before it would take it for a length.
    "[": r"{[}",
    "]": r"{]}",
}


def write_latex(table: Table) -> str:
    """A tabular in a table with its caption; columns whose cells are all numbers stand right.

    >>> print(write_latex(Table("Means", ("system", "mean"), (("a_b", 0.5),), places=2)))
    % \\usepackage{booktabs}
    \\begin{table}
    \\caption{Means}
    \\begin{tabular}{lr}
    \\toprule
    system & mean \\\\
    \\midrule
    a\\_b & 0.50 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    <BLANKLINE>
    """
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    sides = "".join("r" if _is_numeric(column) else "l" for column in columns)
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{escape_latex(table.caption)}}}",
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _row(table.columns, table.places),
        r"\midrule",
        *(_row(row, table.places) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def escape_latex(text: str) -> str:
    """The text as it stands, nothing in it a command. White space and control characters become one space.

    >>> escape_latex("50 % of a_b & \\\\input{x}")
    '50 \\\\% of a\\\\_b \\\\& \\\\textbackslash{}input\\\\{x\\\\}'
    """
    plain = "".join(character if character.isprintable() else " " for character in text)
    return "".join(_SPECIAL.get(character, character) for character in " ".join(plain.split()))


def _row(cells: tuple[Cell, ...], places: int) -> str:
    return " & ".join(_latex_text(cell, places) for cell in cells) + r" \\"


def _latex_text(cell: Cell, places: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.{places}f}".replace("-", "$-$")
    return escape_latex(cell) if isinstance(cell, str) else str(cell).replace("-", "$-$")


def _is_numeric(column: tuple[Cell, ...]) -> bool:
    numbers = [cell for cell in column if cell is not None]
    return bool(numbers) and not any(isinstance(cell, str) for cell in numbers)


_DIGITS = 4


def write_plain(table: Table) -> str:
    """The caption, the heads and the rows; the first column stands left, the others right.

    Numbers have four digits that count, whatever the table's places are, so that small ones are told apart.

    >>> print(write_plain(Table("Means", ("system", "mean"), (("bm25", 0.12345), ("dense", 2e-9)))), end="")
    Means
    system    mean
    bm25    0.1235
    dense    2e-09
    """
    rows = [table.columns, *([_plain_text(cell) for cell in row] for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join([table.caption, *(_line(row, widths) for row in rows), ""])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]).rstrip()


def _plain_text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.{_DIGITS}g}" if isinstance(cell, float) else str(cell)
