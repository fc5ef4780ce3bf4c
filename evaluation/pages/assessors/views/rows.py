"""Assessors as a page shows them: what `assessor_statistics` tells, with the names that only a researcher sees."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotate.models import Collection, Membership
from evaluation.agreement.value import Value, undefined

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
class Sitting:
    number: int
    began_at: datetime
    judged: int
    mean_grade: Value
    visible: Value
    wall: Value
    others: Figures


@dataclass(frozen=True)
class Row:
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
    sittings: list[Sitting]


def of(collection: Collection, told: Told) -> list[Row]:
    """In the order of the pseudonyms."""
    members = Membership.objects.filter(collection=collection).select_related("user")
    known = {member.pseudonym: member for member in members}
    return [_row(each, known[each["pseudonym"]]) for each in told["assessors"]]


def figures(told: Told, nothing: Value) -> Figures:
    """Where there is no pair the reason is that of `nothing`."""
    if not told["n"]:
        return Figures(0, nothing, nothing, nothing, nothing)
    names = ("kappa", "alpha", "share_equal", "mean_difference")
    return Figures(told["n"], *(_value(told, name) for name in names), told.get("intervals"))


def _row(told: Told, member: Membership) -> Row:
    return Row(
        pseudonym=told["pseudonym"],
        name=member.user.username,
        is_active=member.is_active,
        judged=told["judged"],
        cannot=told["cannot"],
        unsure=told["unsure"],
        visible=_value(told, "visible"),
        wall=_value(told, "wall"),
        by_grade=_by_grade(told),
        reveals=told["reveals"],
        again=figures(told["self"], NOTHING_AGAIN),
        others=figures(told["others"], NOBODY_ELSE),
        reference=figures(told["reference"], NO_REFERENCE),
        sittings=[_sitting(each) for each in told["sittings"]],
    )


def _by_grade(told: Told) -> list[GradeRow]:
    """Shares are of all that was judged, what could not be graded among them."""
    rows, left = [], 0.0
    for each in told["by_grade"]:
        width = 100 * each["n"] / told["judged"]
        seconds = (_value(each, "visible"), _value(each, "wall"))
        rows.append(GradeRow(each["grade"], each["n"], Value(width / 100), *seconds, left, width))
        left += width
    return rows


def _sitting(told: Told) -> Sitting:
    values = (_value(told, name) for name in ("mean_grade", "visible", "wall"))
    others = figures(told["others"], NEVER_TOGETHER)
    began_at = datetime.fromisoformat(told["began_at"])
    return Sitting(told["sitting"], began_at, told["judged"], *values, others)


def _value(told: Told, name: str) -> Value:
    return Value(told[name], told.get("reason", {}).get(name, ""))
