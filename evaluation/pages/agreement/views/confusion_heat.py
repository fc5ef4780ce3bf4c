"""The confusion table as a heat map: within each row the darker, the more of it."""

from dataclasses import dataclass

from annotate.formats.scale import GradeScale
from evaluation.agreement.confusion import Table

STEPS = 10


@dataclass(frozen=True)
class Cell:
    """`grade` of the second rater. `share` of the row and `of_column` of the column, 0 to 1; `heat` is the step of the
    colour, 0 to 9."""

    grade: int
    count: int
    share: float
    of_column: float
    heat: int
    is_equal: bool


@dataclass(frozen=True)
class Row:
    grade: int
    cells: list[Cell]
    total: int


def rows(counts: Table, scale: GradeScale) -> list[Row]:
    """One row for each grade of the first rater; cells are grades of the second."""
    totals = counts.sum(axis=0).tolist()
    return [_row(line, totals, grade, scale) for line, grade in zip(counts.tolist(), scale.grades, strict=True)]


def totals(counts: Table) -> list[int]:
    """How many pairs each column has, and in the end how many there are."""
    return [*counts.sum(axis=0).tolist(), int(counts.sum())]


def _row(counts: list[int], totals: list[int], grade: int, scale: GradeScale) -> Row:
    cells = []
    for count, total, other in zip(counts, totals, scale.grades, strict=True):
        share = _share(count, sum(counts))
        heat = min(STEPS - 1, int(share * STEPS))
        cells.append(Cell(other, count, share, _share(count, total), heat, grade == other))
    return Row(grade, cells, sum(counts))


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0
