"""Assessors as a page shows them, with the names that only a researcher sees; as tables to keep, by pseudonym alone."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from annotate.models import Collection, Membership
from evaluation.agreement.value import Value, read_value, undefined
from evaluation.findings.assessors import AgreementJson, AssessorJson, SessionJson, Statistics
from evaluation.statistics.agreement_intervals import CoupleAgreementJson
from evaluation.statistics.bootstrap import IntervalJson
from evaluation.tables.table import Column, DataTable, Ends, Table, make_table, text_column
from evaluation.templatetags.findings import number_cell, share_cell

NOTHING_AGAIN = undefined("no pair came again")
NO_REFERENCE = undefined("no reference pair that was mixed in was judged")
NOBODY_ELSE = undefined("nobody else judged one of these pairs")
NEVER_TOGETHER = undefined("nobody else judged a pair of this session")


@dataclass(frozen=True)
class Figures:
    """Agreement on `n` pairs; `intervals` are empty where there is none."""

    n: int
    kappa: Value
    alpha: Value
    share_equal: Value
    difference: Value
    intervals: dict[str, IntervalJson]


@dataclass(frozen=True)
class GradeRow:
    """`grade` is None of what could not be judged; `left` and `width` are its place in a bar of 100."""

    pseudonym: str
    grade: int | None
    n: int
    share: Value
    visible: Value
    wall: Value
    left: float
    width: float


@dataclass(frozen=True)
class SessionRow:
    pseudonym: str
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
    reveals: dict[str, int] | None
    again: Figures
    others: Figures
    reference: Figures
    sessions: DataTable[SessionRow]


def list_assessors(collection: Collection, found: Statistics) -> list[AssessorRow]:
    """In the order of the pseudonyms."""
    members = Membership.objects.filter(collection=collection).select_related("user")
    known = {member.pseudonym: member for member in members}
    return [_assessor_row(each, known[each["pseudonym"]]) for each in found["assessors"]]


def read_figures(
    found: CoupleAgreementJson, nothing: Value, intervals: dict[str, IntervalJson] | None = None
) -> Figures:
    """Where there is no pair the reason is that of `nothing`."""
    if not found["n"]:
        return Figures(0, nothing, nothing, nothing, nothing, {})
    kappa, alpha, equal, difference = (
        read_value(found, name) for name in ("kappa", "alpha", "share_equal", "mean_difference")
    )
    return Figures(found["n"], kappa, alpha, equal, difference, intervals or {})


def read_agreement(found: AgreementJson, nothing: Value) -> Figures:
    """The same with intervals."""
    return read_figures(found, nothing, found["intervals"])


def _assessor_row(found: AssessorJson, member: Membership) -> AssessorRow:
    name = found["pseudonym"]
    sessions = [_session_row(each, name) for each in found["sittings"]]
    return AssessorRow(
        pseudonym=name,
        name=member.user.username,
        is_active=member.is_active,
        judged=found["judged"],
        cannot=found["cannot"],
        unsure=found["unsure"],
        visible=read_value(found, "visible"),
        wall=read_value(found, "wall"),
        by_grade=_grade_rows(found),
        reveals=found["reveals"],
        again=read_agreement(found["self"], NOTHING_AGAIN),
        others=read_agreement(found["others"], NOBODY_ELSE),
        reference=read_agreement(found["reference"], NO_REFERENCE),
        sessions=DataTable(f"{name}-notes", "", SESSION_COLUMNS, sessions),
    )


def _grade_rows(found: AssessorJson) -> list[GradeRow]:
    """Shares are of all that was judged, what could not be graded among them."""
    rows, left = [], 0.0
    for each in found["by_grade"]:
        width = 100 * each["n"] / found["judged"]
        seconds = (read_value(each, "visible"), read_value(each, "wall"))
        rows.append(GradeRow(found["pseudonym"], each["grade"], each["n"], Value(width / 100), *seconds, left, width))
        left += width
    return rows


def _session_row(found: SessionJson, pseudonym: str) -> SessionRow:
    return SessionRow(
        pseudonym,
        found["sitting"],
        datetime.fromisoformat(found["began_at"]),
        found["judged"],
        read_value(found, "mean_grade"),
        read_value(found, "visible"),
        read_value(found, "wall"),
        read_figures(found["others"], NEVER_TOGETHER),
    )


def _agreement_columns(
    words: str, agreement: Callable[[AssessorRow], Figures], *figures: str
) -> list[Column[AssessorRow]]:
    """How many pairs, and of each figure the value and the ends of its interval."""

    def value(name: str, row: AssessorRow) -> Value:
        found: Value = getattr(agreement(row), name)
        return found

    def ends(name: str, row: AssessorRow) -> Ends | None:
        found = agreement(row).intervals.get("mean_difference" if name == "difference" else name)
        return found and Ends(found["low"], found["high"])

    columns: list[Column[AssessorRow]] = [Column("", "", f"{words}: n", lambda row: agreement(row).n)]
    for name in figures:
        columns.append(Column("", "", f"{words}: {name}", partial(value, name)))
        columns.append(Column("", "", (f"{words}: low", f"{words}: high"), partial(ends, name)))
    return columns


def _reveal_column(name: str, label: str) -> Column[AssessorRow]:
    return Column("", "", label, lambda row: row.reveals[name] if row.reveals else 0)


BEGAN = "evaluation/assessors/_began.html"
# The cells of the page are more than a number: its template writes them.
ASSESSOR_COLUMNS: list[Column[AssessorRow]] = [
    Column("", "", "assessor", lambda row: row.pseudonym),
    Column("", "", "judged", lambda row: row.judged),
    Column("", "", "cannot judge", lambda row: row.cannot),
    Column("", "", "not sure", lambda row: row.unsure),
    Column("", "", "visible seconds", lambda row: row.visible),
    Column("", "", "wall seconds", lambda row: row.wall),
    _reveal_column("decided", "reveals decided"),
    *(_reveal_column(name, name) for name in ("changed", "raised", "lowered", "towards", "away")),
    *_agreement_columns("with themselves", lambda row: row.again, "kappa", "alpha"),
    *_agreement_columns("with others", lambda row: row.others, "kappa", "alpha"),
    *_agreement_columns("with the reference", lambda row: row.reference, "kappa", "difference"),
]
GRADE_COLUMNS: list[Column[GradeRow]] = [
    Column("", "", "assessor", lambda row: row.pseudonym),
    text_column("", "Grade", "grade", lambda row: "cannot judge" if row.grade is None else row.grade),
    Column("", "Judged", "judged", lambda row: row.n),
    Column("", "Share", "share", lambda row: row.share),
    Column("", "Visible seconds", "visible seconds", lambda row: row.visible),
    Column("", "Wall seconds", "wall seconds", lambda row: row.wall),
]
SESSION_COLUMNS: list[Column[SessionRow]] = [
    Column("", "", "assessor", lambda row: row.pseudonym),
    Column("", "", "sitting", lambda row: row.number),
    text_column("", "Began (UTC)", "began", lambda row: row.began_at.isoformat(), BEGAN, "nowrap", is_row_head=True),
    Column("", "Judged", "judged", lambda row: row.judged),
    Column("", "Mean grade", "mean grade", lambda row: row.mean_grade, number_cell(2)),
    Column("", "Visible seconds", "visible seconds", lambda row: row.visible, number_cell(1)),
    Column("", "Wall seconds", "wall seconds", lambda row: row.wall, number_cell(1)),
    Column("", "Pairs with others", "pairs with others", lambda row: row.others.n),
    Column("", "Equal grades", "equal grades", lambda row: row.others.share_equal, share_cell),
    Column("", "α", "alpha", lambda row: row.others.alpha, number_cell()),
    Column("", "Difference", "difference", lambda row: row.others.difference, number_cell(2, has_sign=True)),
]


def _assessors_table(rows: Sequence[AssessorRow]) -> Table:
    caption = "Assessors by pseudonym: judgments of the first round, median seconds, and agreement"
    return make_table(caption, ASSESSOR_COLUMNS, rows, places=3)


def _grades_table(rows: Iterable[AssessorRow]) -> Table:
    grades = [each for row in rows for each in row.by_grade]
    return make_table("Grades of each assessor, with median seconds", GRADE_COLUMNS, grades, places=2)


def _sessions_table(rows: Iterable[AssessorRow]) -> Table:
    sessions = [each for row in rows for each in row.sessions.given]
    return make_table("Sittings of each assessor", SESSION_COLUMNS, sessions, places=2)


TABLES: dict[str, Callable[[Sequence[AssessorRow]], Table]] = {
    "assessors": _assessors_table,
    "grades": _grades_table,
    "sittings": _sessions_table,
}
