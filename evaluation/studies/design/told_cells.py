"""Cells of tables from what a study found as JSON."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from evaluation.tables.table import Cell


def cell(told: Mapping[str, Any], name: str) -> Cell:
    """The number of that name; where it is undefined, the reason in words.

    >>> cell({"tau_b": None, "reason": {"tau_b": "one system"}}, "tau_b")
    'undefined: one system'
    """
    number: Cell = told[name]
    return number if number is not None else f"undefined: {told['reason'][name]}"


def whole_counts(rows: Sequence[tuple[Cell, ...]], places: Collection[int]) -> tuple[tuple[Cell, ...], ...]:
    """The rows, the means of counts at these places without decimals where all of the column are whole.

    >>> whole_counts([("a", 40.0, 0.5), ("b", 41.0, 1.0)], [1, 2])
    (('a', 40, 0.5), ('b', 41, 1.0))
    """
    whole = [place for place in places if all(_is_whole(row[place]) for row in rows)]
    return tuple(tuple(_as_count(cell) if at in whole else cell for at, cell in enumerate(row)) for row in rows)


def _is_whole(cell: Cell) -> bool:
    return not isinstance(cell, float) or cell.is_integer()


def _as_count(cell: Cell) -> Cell:
    return int(cell) if isinstance(cell, float) else cell
