"""The matrix of all raters: its rows in the order that is asked for, and as a table of each two."""

from dataclasses import dataclass
from functools import partial

from evaluation.findings.agreement.matrix import Among, Cell, Matrix, Row
from evaluation.tables import table as tables
from evaluation.tables.table import Table
from evaluation.web import figure_rows, sorting
from evaluation.web.sorting import Head

CAPTION = "Agreement of all raters"


@dataclass(frozen=True)
class Sorted:
    """The rows of a matrix; `columns` are the raters' names and heads, `among` what stands under each of them."""

    rows: list[Row]
    columns: list[tuple[str, Head]]
    among: tuple[Among | None, ...]
    has_repeats: bool


def sort(matrix: Matrix, asked: str) -> Sorted:
    """By alpha with one rater, `-NAME` from the largest down; as they came where nobody of that name is there."""
    names = [row.rater.name for row in matrix.rows]
    columns = {name: partial(_alpha, place) for place, name in enumerate(names)}
    heads = sorting.heads(asked, names)
    return Sorted(sorting.sort(matrix.rows, asked, columns), list(heads.items()), matrix.among, matrix.has_repeats)


def table(matrix: Matrix) -> Table:
    """Each two raters once, in the order of the matrix, with what people among themselves have; and a person with
    himself where pairs came again."""
    cells = [cell for place, row in enumerate(matrix.rows) for cell in row.cells[place:] if cell is not None]
    heads = ("first", "second", "pairs", "alpha, ordinal")
    if not matrix.among:
        return Table(CAPTION, heads, tuple(map(_line, cells)), places=3)
    people = (f"{figure_rows.PEOPLE}: pairs", f"{figure_rows.PEOPLE}: alpha, ordinal")
    return Table(CAPTION, heads + people, tuple((*_line(cell), *_people(cell)) for cell in cells), places=3)


def _line(found: Cell) -> tuple[tables.Cell, ...]:
    second = "the same, when pairs came again" if found.is_self else found.second.words
    return found.first.words, second, found.n, tables.cell(found.alpha)


def _people(found: Cell) -> tuple[tables.Cell, ...]:
    if found.among is None:
        return None, None
    return found.among.n, tables.cell(found.among.alpha if found.among.n else figure_rows.NOBODY_TWICE)


def _alpha(place: int, row: Row) -> float | None:
    found = row.cells[place]
    return found.alpha.value if found else None
