"""The tables of a study as its page shows them: sorted by the address, and cut where they are long."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evaluation.tables.table import Cell, Table
from evaluation.web import sorting
from evaluation.web.sorting import Head

MOST_ROWS, MOST_OF_ALL = 20, 2000
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class ShownTable:
    """`heads` are the columns with what a click on each asks for; `rows` the first of the table's `total`."""

    name: str
    caption: str
    places: int
    heads: list[tuple[str, Head, bool]]
    rows: list[Row]
    total: int
    is_open: bool

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.rows)

    @property
    def has_more(self) -> bool:
        """Whether the page can show more of it."""
        return self.is_cut and len(self.rows) < MOST_OF_ALL


def of(tables: Mapping[str, Table], asked: str, whole: str = "") -> list[ShownTable]:
    """`asked` is the name of a table and the number of its column, `systems.2`; `-systems.2` from the largest down.
    `whole` is the name of a table that is not cut, but where it is very long. Open are the first and what is asked."""
    first = next(iter(tables), "")
    return [_shown(name, table, asked, whole, is_first=name == first) for name, table in tables.items()]


def _shown(name: str, table: Table, asked: str, whole: str, *, is_first: bool) -> ShownTable:
    most = MOST_OF_ALL if name == whole else MOST_ROWS
    columns = [f"{name}.{place}" for place in range(len(table.columns))]
    numeric = [any(isinstance(row[place], int | float) for row in table.rows) for place in range(len(columns))]
    by_column = {column: _cell(place, numeric[place]) for place, column in enumerate(columns)}
    rising = [column for column, is_numeric in zip(columns, numeric, strict=True) if not is_numeric]
    heads = sorting.heads(asked, columns, rising)
    return ShownTable(
        name=name,
        caption=table.caption,
        places=table.places,
        heads=[(words, heads[column], n) for words, column, n in zip(table.columns, columns, numeric, strict=True)],
        rows=sorting.sort(table.rows, asked, by_column)[:most],
        total=len(table.rows),
        is_open=is_first or name == whole or asked.removeprefix("-") in columns,
    )


def _cell(place: int, is_numeric: bool) -> Callable[[Row], Cell]:
    """What orders rows by a column. Words in a column of numbers say why there is none, and come last either way."""
    return lambda row: None if is_numeric and isinstance(row[place], str) else row[place]
