"""The figures of agreement: the confusion of two raters (also as a heat map on the page), all raters, the trend."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotate.formats.records import GradeScale
from evaluation.agreement.kappa import Table
from evaluation.findings.agreement import matrix as agreement_matrix
from evaluation.pages.agreement.two_raters import TwoRaters
from evaluation.plots.figure import Figure

HEAT_STEPS = 10


@dataclass(frozen=True)
class HeatCell:
    """`grade` of the second rater. `share` of the row and `of_column` of the column, 0 to 1; `heat` is the step of the
    colour, 0 to 9."""

    grade: int
    count: int
    share: float
    of_column: float
    heat: int
    is_equal: bool


@dataclass(frozen=True)
class HeatRow:
    grade: int
    cells: list[HeatCell]
    total: int


def heat_rows(counts: Table, scale: GradeScale) -> list[HeatRow]:
    """One row for each grade of the first rater; cells are grades of the second."""
    totals = counts.sum(axis=0).tolist()
    return [_heat_row(line, totals, grade, scale) for line, grade in zip(counts.tolist(), scale.grades, strict=True)]


def heat_totals(counts: Table) -> list[int]:
    """How many pairs each column has, and in the end how many there are."""
    return [*counts.sum(axis=0).tolist(), int(counts.sum())]


def _heat_row(counts: list[int], totals: list[int], grade: int, scale: GradeScale) -> HeatRow:
    cells = []
    for count, total, other in zip(counts, totals, scale.grades, strict=True):
        share = _share(count, sum(counts))
        heat = min(HEAT_STEPS - 1, int(share * HEAT_STEPS))
        cells.append(HeatCell(other, count, share, _share(count, total), heat, grade == other))
    return HeatRow(grade, cells, sum(counts))


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0


def confusion_figure(shown: TwoRaters) -> Figure:
    first, second = shown.sides.first.words, shown.sides.second.words
    rows: list[dict[str, object]] = [
        {
            "row": str(row.grade),
            "column": str(cell.grade),
            "heat": cell.share,
            "text": f"{cell.count}\n{100 * cell.share:.0f} %",
        }
        for row in heat_rows(shown.result.figures.confusion, shown.collection.scale)
        for cell in row.cells
    ]
    return Figure(
        "heat",
        f"Grades of {shown.words}",
        f"How many pairs {first} (rows) and {second} (columns) gave each two grades, and the share of the row.",
        rows,
        {"rows": first, "columns": second},
    )


def trend_figure(shown: TwoRaters) -> Figure:
    rows: list[dict[str, object]] = [
        {"period": group.key, "value": group.figures.values["alpha"].value, "n": group.figures.n}
        for group in shown.groups.periods
    ]
    return Figure(
        "trend",
        f"Agreement of {shown.words} over time",
        "Krippendorff's alpha, ordinal, of the pairs that people graded in each period; larger points are more pairs.",
        rows,
        {"y": "alpha, ordinal"},
    )


def matrix_figure(rows: Sequence[agreement_matrix.MatrixRow]) -> Figure:
    """Of all raters, without two being chosen."""
    cells: list[dict[str, object]] = [
        {
            "row": row.rater.name,
            "column": other.rater.name,
            "heat": cell.alpha.value if cell else None,
            "text": _cell_words(cell),
        }
        for row in rows
        for other, cell in zip(rows, row.cells, strict=True)
    ]
    return Figure(
        "heat",
        f"Agreement of {len(rows)} raters",
        "Krippendorff's alpha, ordinal, of each two raters and on how many pairs; a point where they are not compared.",
        cells,
        {"rows": "", "columns": ""},
    )


def _cell_words(cell: agreement_matrix.MatrixCell | None) -> str:
    if cell is None:
        return "·"
    return f"{cell.alpha.value:.3f}\n{cell.n}" if cell.alpha.value is not None else f"undefined\n{cell.n}"


FIGURES: dict[str, Callable[[TwoRaters], Figure]] = {"confusion": confusion_figure, "trend": trend_figure}
