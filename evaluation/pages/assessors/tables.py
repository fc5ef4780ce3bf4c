"""Assessors as a page shows them, with the names that only a researcher sees; as tables to keep, by pseudonym alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotate.models import Collection, Membership
from evaluation.agreement.value import Value, undefined
from evaluation.tables.table import Cell, Table, value_cell

Told = Mapping[str, Any]
NOTHING_AGAIN = undefined("no pair came again")
NO_REFERENCE = undefined("no reference pair that was mixed in was judged")
NOBODY_ELSE = undefined("nobody else judged one of these pairs")
NEVER_TOGETHER = undefined("nobody else judged a pair of this sitting")


@dataclass(frozen=True)
class Figures:
    """Agreement on `n` pairs; the intervals are what `bootstrap.Interval.as_json` tells, None where there is none."""

    n: int
    kappa: Value
    alpha: Value
    share_equal: Value
    difference: Value
    intervals: Told | None = None


@dataclass(frozen=True)
class GradeRow:
    """`grade` is None of what could not be judged; `left` and `width` are its place in a bar of 100."""

    grade: int | None
    n: int
    share: Value
    visible: Value
    wall: Value
    left: float
    width: float


@dataclass(frozen=True)
class SessionRow:
    number: int
    began_at: datetime
    judged: int
    mean_grade: Value
    visible: Value
    wall: Value
    others: Figures


@dataclass(frozen=True)
class AssessorRow:
    """`name` is that of the account; empty where the person is not of the collection any more."""

    pseudonym: str
    name: str
    is_active: bool
    judged: int
    cannot: int
    unsure: int
    visible: Value
    wall: Value
    by_grade: list[GradeRow]
    reveals: Told | None
    again: Figures
    others: Figures
    reference: Figures
    sittings: list[SessionRow]


def list_assessors(collection: Collection, told: Told) -> list[AssessorRow]:
    """In the order of the pseudonyms."""
    members = Membership.objects.filter(collection=collection).select_related("user")
    known = {member.pseudonym: member for member in members}
    return [_assessor_row(each, known[each["pseudonym"]]) for each in told["assessors"]]


def read_figures(told: Told, nothing: Value) -> Figures:
    """Where there is no pair the reason is that of `nothing`."""
    if not told["n"]:
        return Figures(0, nothing, nothing, nothing, nothing)
    names = ("kappa", "alpha", "share_equal", "mean_difference")
    return Figures(told["n"], *(_value(told, name) for name in names), told.get("intervals"))


def _assessor_row(told: Told, member: Membership) -> AssessorRow:
    return AssessorRow(
        pseudonym=told["pseudonym"],
        name=member.user.username,
        is_active=member.is_active,
        judged=told["judged"],
        cannot=told["cannot"],
        unsure=told["unsure"],
        visible=_value(told, "visible"),
        wall=_value(told, "wall"),
        by_grade=_grade_rows(told),
        reveals=told["reveals"],
        again=read_figures(told["self"], NOTHING_AGAIN),
        others=read_figures(told["others"], NOBODY_ELSE),
        reference=read_figures(told["reference"], NO_REFERENCE),
        sittings=[_session_row(each) for each in told["sittings"]],
    )


def _grade_rows(told: Told) -> list[GradeRow]:
    """Shares are of all that was judged, what could not be graded among them."""
    rows, left = [], 0.0
    for each in told["by_grade"]:
        width = 100 * each["n"] / told["judged"]
        seconds = (_value(each, "visible"), _value(each, "wall"))
        rows.append(GradeRow(each["grade"], each["n"], Value(width / 100), *seconds, left, width))
        left += width
    return rows


def _session_row(told: Told) -> SessionRow:
    values = (_value(told, name) for name in ("mean_grade", "visible", "wall"))
    others = read_figures(told["others"], NEVER_TOGETHER)
    began_at = datetime.fromisoformat(told["began_at"])
    return SessionRow(told["sitting"], began_at, told["judged"], *values, others)


def _value(told: Told, name: str) -> Value:
    return Value(told[name], told.get("reason", {}).get(name, ""))


def assessors_table(rows: Sequence[AssessorRow]) -> Table:
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
            *(row.pseudonym, row.judged, row.cannot, row.unsure, value_cell(row.visible), value_cell(row.wall)),
            *_reveal_cells(row),
            *(row.again.n, *_interval_cells(row.again, "kappa"), *_interval_cells(row.again, "alpha")),
            *(row.others.n, *_interval_cells(row.others, "kappa"), *_interval_cells(row.others, "alpha")),
            *(
                row.reference.n,
                *_interval_cells(row.reference, "kappa"),
                *_interval_cells(row.reference, "mean_difference"),
            ),
        )
        for row in rows
    )
    return Table(caption, columns, lines, places=3)


def grades_table(rows: Sequence[AssessorRow]) -> Table:
    """A line for each assessor and grade."""
    columns = ("assessor", "grade", "judged", "share", "visible seconds", "wall seconds")
    lines = tuple(
        (
            row.pseudonym,
            "cannot judge" if each.grade is None else each.grade,
            each.n,
            value_cell(each.share),
            value_cell(each.visible),
            value_cell(each.wall),
        )
        for row in rows
        for each in row.by_grade
    )
    return Table("Grades of each assessor, with median seconds", columns, lines, places=2)


def sessions_table(rows: Sequence[AssessorRow]) -> Table:
    """A line for each assessor and sitting."""
    columns = ("assessor", "sitting", "began", "judged", "mean grade", "visible seconds", "wall seconds")
    others = ("pairs with others", "equal grades", "alpha", "difference")
    lines = tuple(
        (
            *(row.pseudonym, each.number, each.began_at.isoformat(), each.judged),
            *map(value_cell, (each.mean_grade, each.visible, each.wall)),
            each.others.n,
            *map(value_cell, (each.others.share_equal, each.others.alpha, each.others.difference)),
        )
        for row in rows
        for each in row.sittings
    )
    return Table("Sittings of each assessor", (*columns, *others), lines, places=2)


TABLES: dict[str, Callable[[Sequence[AssessorRow]], Table]] = {
    "assessors": assessors_table,
    "grades": grades_table,
    "sittings": sessions_table,
}


def _reveal_cells(row: AssessorRow) -> tuple[Cell, ...]:
    names = ("decided", "changed", "raised", "lowered", "towards", "away")
    return tuple(row.reveals[name] if row.reveals else 0 for name in names)


def _interval_cells(found: Figures, name: str) -> tuple[Cell, ...]:
    value = found.difference if name == "mean_difference" else getattr(found, name)
    ends = found.intervals[name] if found.intervals else {"low": None, "high": None}
    return value_cell(value), ends["low"], ends["high"]
