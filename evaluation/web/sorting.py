"""Tables that sort by the address: no script, and a link keeps the order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Head:
    """The head of a column: `next` is what `sort` becomes by a click, `aria` the order in which the column stands."""

    next: str
    aria: str


def sort(rows: Sequence[Row], asked: str, columns: Mapping[str, Callable[[Row], Any]]) -> list[Row]:
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


def heads(asked: str, names: Sequence[str], rising: Sequence[str] = ()) -> dict[str, Head]:
    """The heads of the columns. A first click shows the largest first, of those named in `rising` the smallest."""
    return {name: _head(asked, name, name in rising) for name in names}


def _head(asked: str, name: str, is_rising_first: bool) -> Head:
    if asked == name:
        return Head(f"-{name}", "ascending")
    if asked == f"-{name}":
        return Head(name, "descending")
    return Head(name if is_rising_first else f"-{name}", "none")
