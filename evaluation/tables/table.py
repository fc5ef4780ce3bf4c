"""A table as plain data. Its columns are written once: for the page, for the order of rows, and for downloads."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from annotate.exports.rules import COMPUTES
from evaluation.agreement.value import Value

Cell = str | int | float | None
Row = TypeVar("Row")


@dataclass(frozen=True)
class Table:
    """`columns` are the heads; each row has a cell for each of them, None where there is nothing to say.

    `caption` says what the numbers are. `places` are the decimals that a text for people shows.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    places: int = 4

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a row of a table needs one cell a column")


class Ends(NamedTuple):
    """An interval in a column; from None to None where there is none, with the reason. `how` says how it was computed,
    or why there is none."""

    low: float | None
    high: float | None
    reason: str = ""
    how: str | None = None


Content = Cell | Value | Ends


class Footnotes:
    """Why cells of a table have no number: each reason once, in the order in which cells met them. `name` tells the
    footnotes of one table from another's.

    >>> notes = Footnotes("systems")
    >>> notes.number("one topic"), notes.number("gains nothing"), notes.number("one topic")
    (1, 2, 1)
    >>> notes.reasons
    ['one topic', 'gains nothing']
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers: dict[str, int] = {}

    def number(self, reason: str) -> int:
        """The number of the footnote with this reason, from 1; a new one where there is none yet."""
        return self._numbers.setdefault(reason, len(self._numbers) + 1)

    @property
    def reasons(self) -> list[str]:
        return list(self._numbers)


Writer = Callable[[Content, Footnotes], str]


def plain_cell(content: Content, notes: Footnotes) -> str:
    """Text and whole numbers as they are; nothing where there is nothing to say."""
    return "" if content is None else str(content)


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column of a table, written once.

    `name` is what an address says to sort by it, empty where it does not sort. `head` stands over it on a page, `label`
    in a download; without one of them it is not there. `value` is what it has of a row: an interval (`Ends`) has a
    label for each end, and may have one for how it was computed. `cell` writes the value on a page, or names the
    template that does, which gets `row`; `css` are the classes of its cells. Rows are ordered by `sort`, if not by the
    number or text of `value`; a first click shows the largest first, where it `is_rising` the smallest.

    >>> columns = [
    ...     Column[tuple[str, float | None]]("system", "System", "system", lambda row: row[0], css="", is_rising=True),
    ...     Column[tuple[str, float | None]]("mean", "Mean", "mean", lambda row: row[1]),
    ... ]
    >>> systems = DataTable("systems", "Means", columns, [("bm25", 0.25), ("empty", None), ("dense", 0.5)], "-mean")
    >>> systems.rows
    [('dense', 0.5), ('bm25', 0.25), ('empty', None)]
    >>> [(head.words, head.next) for head in systems.heads]
    [('System', 'system'), ('Mean', 'mean')]
    >>> systems.table.columns, systems.table.rows[0]
    (('system', 'mean'), ('dense', 0.5))
    """

    name: str
    head: str
    label: str | tuple[str, ...]
    value: Callable[[Row], Content]
    cell: str | Writer = plain_cell
    css: str = "num"
    sort: Callable[[Row], Cell] | None = None
    is_rising: bool = False
    is_row_head: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return self.label if isinstance(self.label, tuple) else (self.label,) if self.label else ()

    @property
    def head_css(self) -> str:
        """A head stands right over numbers, and apart from another rule's; what else marks cells is theirs alone."""
        return " ".join(word for word in self.css.split() if word in ("num", "beside"))

    def key(self, row: Row) -> Cell:
        """By what rows are ordered; None comes last."""
        if self.sort is not None:
            return self.sort(row)
        content = self.value(row)
        if isinstance(content, Ends):
            return content.low
        return content.value if isinstance(content, Value) else content

    def cells(self, row: Row) -> tuple[Cell, ...]:
        """Of a download: one for each label."""
        content = self.value(row)
        if isinstance(content, Ends):
            return _end_cells(content)[: len(self.labels)]
        if content is None:
            return (None,) * len(self.labels)
        return (value_cell(content) if isinstance(content, Value) else content,)


def text_column(
    name: str,
    head: str,
    label: str,
    value: Callable[[Row], Content],
    cell: str | Writer = plain_cell,
    css: str = "",
    *,
    is_row_head: bool = False,
) -> Column[Row]:
    """A column of words, which stand left, and by a first click from A to Z."""
    return Column(name, head, label, value, cell, css, is_rising=True, is_row_head=is_row_head)


def value_cell(value: Value) -> Cell:
    """The number; where it is undefined, the reason in words.

    >>> value_cell(Value(0.5)), value_cell(Value(None, "one grade only"))
    (0.5, 'undefined: one grade only')
    """
    return value.value if value.is_defined else f"undefined: {value.reason}"


def make_table(caption: str, columns: Iterable[Column[Row]], rows: Iterable[Row], places: int = 4) -> Table:
    """What a download writes, without heads that only a page has."""
    labelled = [column for column in columns if column.label]
    labels = tuple(label for column in labelled for label in column.labels)
    lines = tuple(tuple(cell for column in labelled for cell in column.cells(row)) for row in rows)
    return Table(caption, labels, lines, places)


def order_rows(rows: Iterable[Row], columns: Iterable[Column[Row]], asked: str) -> list[Row]:
    """The rows by the column of a name, `-name` from the largest down; as they came where no column is named so.

    Rows without a value (None) come last either way; equal ones stay in their order.
    """
    given, name = list(rows), asked.removeprefix("-")
    column = next((column for column in columns if column.name == name != ""), None)
    if column is None:
        return given
    keys = [column.key(row) for row in given]
    with_value = [(key, row) for key, row in zip(keys, given, strict=True) if key is not None]
    with_value.sort(key=lambda each: each[0], reverse=asked.startswith("-"))
    return [*(row for _, row in with_value), *(row for key, row in zip(keys, given, strict=True) if key is None)]


def sort_names(columns: Iterable[Column[Row]]) -> list[str]:
    """What an address may say to sort by."""
    return [column.name for column in columns if column.name]


@dataclass(frozen=True)
class Head:
    """The head of a column on a page: `next` is what `sort` becomes by a click, empty where the column does not sort;
    `aria` the order in which it stands."""

    words: str
    css: str
    next: str
    aria: str


@dataclass(frozen=True, eq=False)
class DataTable(Generic[Row]):
    """Rows and their columns in the order that is `asked` for: what a page shows, and what a download writes. `name`
    is that of its footnotes."""

    name: str
    caption: str
    columns: Sequence[Column[Row]]
    given: Sequence[Row]
    asked: str = ""
    places: int = 4

    @cached_property
    def rows(self) -> list[Row]:
        return order_rows(self.given, self.columns, self.asked)

    @property
    def shown(self) -> list[Column[Row]]:
        """The columns that a page has."""
        return [column for column in self.columns if column.head]

    @property
    def heads(self) -> list[Head]:
        return [_head(column, self.asked) for column in self.shown]

    @cached_property
    def notes(self) -> Footnotes:
        """What the cells of the page write their reasons into."""
        return Footnotes(self.name)

    @property
    def table(self) -> Table:
        """To be downloaded."""
        return make_table(self.caption, self.columns, self.rows, self.places)


def _head(column: Column[Row], asked: str) -> Head:
    name = column.name
    following, aria = name if column.is_rising else f"-{name}", "none"
    if name and asked in (name, f"-{name}"):
        following, aria = (f"-{name}", "ascending") if asked == name else (name, "descending")
    return Head(column.head, column.head_css, following if name else "", aria if name else "")


def _end_cells(ends: Ends) -> tuple[Cell, Cell, Cell]:
    """Where there is no interval and nothing says how it was computed, the reason stands at both ends."""
    if ends.low is None and ends.reason and ends.how is None:
        return (reason := f"undefined: {ends.reason}"), reason, None
    return ends.low, ends.high, ends.how


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
