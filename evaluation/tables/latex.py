"""A table as LaTeX for a paper, ruled by booktabs."""

from evaluation.tables.table import Cell, Table

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


def write(table: Table) -> str:
    """A tabular in a table with its caption; columns whose cells are all numbers stand right.

    >>> print(write(Table("Means", ("system", "mean"), (("a_b", 0.5),), places=2)))
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
        rf"\caption{{{escaped(table.caption)}}}",
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


def escaped(text: str) -> str:
    """The text as it stands, nothing in it a command. White space and control characters become one space.

    >>> escaped("50 % of a_b & \\\\input{x}")
    '50 \\\\% of a\\\\_b \\\\& \\\\textbackslash{}input\\\\{x\\\\}'
    """
    plain = "".join(character if character.isprintable() else " " for character in text)
    return "".join(_SPECIAL.get(character, character) for character in " ".join(plain.split()))


def _row(cells: tuple[Cell, ...], places: int) -> str:
    return " & ".join(_text(cell, places) for cell in cells) + r" \\"


def _text(cell: Cell, places: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.{places}f}".replace("-", "$-$")
    return escaped(cell) if isinstance(cell, str) else str(cell).replace("-", "$-$")


def _is_numeric(column: tuple[Cell, ...]) -> bool:
    numbers = [cell for cell in column if cell is not None]
    return bool(numbers) and not any(isinstance(cell, str) for cell in numbers)
