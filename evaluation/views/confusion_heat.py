"""The confusion table as a heat map: within each row the darker, the more of it."""

from dataclasses import dataclass

from annotate.trec.scale import GradeScale
from evaluation.agreement.confusion import Table

STEPS = 10


@dataclass(frozen=True)
class Cell:
    """`grade` of the second rater. `share` of the row, 0 to 1; `heat` is the step of the colour, 0 to 9."""

    grade: int
    count: int
    share: float
    heat: int
    is_equal: bool


@dataclass(frozen=True)
class Row:
    grade: int
    cells: list[Cell]
    total: int


def rows(counts: Table, scale: GradeScale) -> list[Row]:
    """One row for each grade of the first rater; cells are grades of the second."""
    return [_row(line, grade, scale) for line, grade in zip(counts.tolist(), scale.grades, strict=True)]


def _row(counts: list[int], grade: int, scale: GradeScale) -> Row:
    total = sum(counts)
    shares = [count / total if total else 0.0 for count in counts]
    cells = [
        Cell(other, count, share, min(STEPS - 1, int(share * STEPS)), grade == other)
        for count, share, other in zip(counts, shares, scale.grades, strict=True)
    ]
    return Row(grade, cells, total)
