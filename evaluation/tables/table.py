"""A table as plain data: what a page shows, in which order, and what a download writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from evaluation.agreement.value import Value

Cell = str | int | float | None


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


def value_cell(value: Value) -> Cell:
    """The number; where it is undefined, the reason in words.

    >>> value_cell(Value(0.5)), value_cell(Value(None, "one grade only"))
    (0.5, 'undefined: one grade only')
    """
    return value.value if value.is_defined else f"undefined: {value.reason}"


class Footnotes:
    """The reasons in the order in which cells met them; `name` tells the footnotes of one table from another's.

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


Row = TypeVar("Row")


@dataclass(frozen=True)
class Head:
    """The head of a column: `next` is what `sort` becomes by a click, `aria` the order in which the column stands."""

    next: str
    aria: str


def sort_rows(rows: Sequence[Row], asked: str, columns: Mapping[str, Callable[[Row], Any]]) -> list[Row]:
    """The rows by a column, `-name` from the largest down; as they came where none is asked for.

    Rows without a value (None) come last either way; equal ones stay in their order.
    """
    name = asked.removeprefix("-")
    if name not in columns:
        return list(rows)
    value = columns[name]
    with_value = [row for row in rows if value(row) is not None]
    with_value.sort(key=value, reverse=asked.startswith("-"))
    return [*with_value, *(row for row in rows if value(row) is None)]


def sort_heads(asked: str, names: Sequence[str], rising: Sequence[str] = ()) -> dict[str, Head]:
    """The heads of the columns. A first click shows the largest first, of those named in `rising` the smallest."""
    return {name: _head(asked, name, name in rising) for name in names}


def _head(asked: str, name: str, is_rising_first: bool) -> Head:
    if asked == name:
        return Head(f"-{name}", "ascending")
    if asked == f"-{name}":
        return Head(name, "descending")
    return Head(name if is_rising_first else f"-{name}", "none")
