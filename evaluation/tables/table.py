"""A table as plain data: what a page shows and a download writes."""

from dataclasses import dataclass

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


def cell(value: Value) -> Cell:
    """The number; where it is undefined, the reason in words.

    >>> cell(Value(0.5)), cell(Value(None, "one grade only"))
    (0.5, 'undefined: one grade only')
    """
    return value.value if value.is_defined else f"undefined: {value.reason}"
