"""The figures of agreement: the confusion of two raters, all raters against one another, the trend."""

from collections.abc import Callable, Sequence

from evaluation.findings.agreement import matrix as agreement_matrix
from evaluation.pages.agreement.views import confusion_heat
from evaluation.pages.agreement.views.shown import Shown
from evaluation.plots.figure import Figure


def confusion(shown: Shown) -> Figure:
    first, second = shown.sides.first.words, shown.sides.second.words
    rows: list[dict[str, object]] = [
        {
            "row": str(row.grade),
            "column": str(cell.grade),
            "heat": cell.share,
            "text": f"{cell.count}\n{100 * cell.share:.0f} %",
        }
        for row in confusion_heat.rows(shown.found.figures.confusion, shown.collection.scale)
        for cell in row.cells
    ]
    return Figure(
        "heat",
        f"Grades of {shown.words}",
        f"How many pairs {first} (rows) and {second} (columns) gave each two grades, and the share of the row.",
        rows,
        {"rows": first, "columns": second},
    )


def trend(shown: Shown) -> Figure:
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


def matrix(rows: Sequence[agreement_matrix.Row]) -> Figure:
    """Of all raters, without two being chosen."""
    cells: list[dict[str, object]] = [
        {
            "row": row.rater.name,
            "column": other.rater.name,
            "heat": cell.alpha.value if cell else None,
            "text": _words(cell),
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


def _words(cell: agreement_matrix.Cell | None) -> str:
    if cell is None:
        return "·"
    return f"{cell.alpha.value:.3f}\n{cell.n}" if cell.alpha.value is not None else f"undefined\n{cell.n}"


FIGURES: dict[str, Callable[[Shown], Figure]] = {"confusion": confusion, "trend": trend}
