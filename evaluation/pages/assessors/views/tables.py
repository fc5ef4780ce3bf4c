"""Statistics of assessors as tables to keep, by pseudonym and without names."""

from collections.abc import Callable, Sequence

from evaluation.pages.assessors.views.rows import Figures, Row
from evaluation.tables.table import Cell, Table, cell


def assessors(rows: Sequence[Row]) -> Table:
    """A line for each."""
    caption = "Assessors by pseudonym: judgments of the first round, median seconds, and agreement"
    again, others, reference = "with themselves", "with others", "with the reference"
    columns = (
        *("assessor", "judged", "cannot judge", "not sure", "visible seconds", "wall seconds"),
        *("reveals decided", "changed", "raised", "lowered", "towards", "away"),
        *(f"{again}: {name}" for name in ("n", "kappa", "low", "high", "alpha", "low", "high")),
        *(f"{others}: {name}" for name in ("n", "kappa", "low", "high", "alpha", "low", "high")),
        *(f"{reference}: {name}" for name in ("n", "kappa", "low", "high", "difference", "low", "high")),
    )
    lines = tuple(
        (
            *(row.pseudonym, row.judged, row.cannot, row.unsure, cell(row.visible), cell(row.wall)),
            *_reveals(row),
            *(row.again.n, *_with_ends(row.again, "kappa"), *_with_ends(row.again, "alpha")),
            *(row.others.n, *_with_ends(row.others, "kappa"), *_with_ends(row.others, "alpha")),
            *(row.reference.n, *_with_ends(row.reference, "kappa"), *_with_ends(row.reference, "mean_difference")),
        )
        for row in rows
    )
    return Table(caption, columns, lines, places=3)


def grades(rows: Sequence[Row]) -> Table:
    """A line for each assessor and grade."""
    columns = ("assessor", "grade", "judged", "share", "visible seconds", "wall seconds")
    lines = tuple(
        (
            row.pseudonym,
            "cannot judge" if each.grade is None else each.grade,
            each.n,
            cell(each.share),
            cell(each.visible),
            cell(each.wall),
        )
        for row in rows
        for each in row.by_grade
    )
    return Table("Grades of each assessor, with median seconds", columns, lines, places=2)


def sittings(rows: Sequence[Row]) -> Table:
    """A line for each assessor and sitting."""
    columns = ("assessor", "sitting", "began", "judged", "mean grade", "visible seconds", "wall seconds")
    others = ("pairs with others", "equal grades", "alpha", "difference")
    lines = tuple(
        (
            *(row.pseudonym, each.number, each.began_at.isoformat(), each.judged),
            *map(cell, (each.mean_grade, each.visible, each.wall)),
            each.others.n,
            *map(cell, (each.others.share_equal, each.others.alpha, each.others.difference)),
        )
        for row in rows
        for each in row.sittings
    )
    return Table("Sittings of each assessor", (*columns, *others), lines, places=2)


TABLES: dict[str, Callable[[Sequence[Row]], Table]] = {
    "assessors": assessors,
    "grades": grades,
    "sittings": sittings,
}


def _reveals(row: Row) -> tuple[Cell, ...]:
    names = ("decided", "changed", "raised", "lowered", "towards", "away")
    return tuple(row.reveals[name] if row.reveals else 0 for name in names)


def _with_ends(found: Figures, name: str) -> tuple[Cell, ...]:
    value = found.difference if name == "mean_difference" else getattr(found, name)
    ends = found.intervals[name] if found.intervals else {"low": None, "high": None}
    return cell(value), ends["low"], ends["high"]
