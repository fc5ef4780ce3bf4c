"""How many judgments an assessor gave, of which grades, and how long they took."""

from typing import Any

import numpy as np

from evaluation.agreement.value import Value, as_json, undefined
from evaluation.findings.assessors.judgments import NO_GRADE, Flags, Floats, Ints, Judgments

Told = dict[str, Any]
NOT_TOLD = "no judgment of these tells its seconds"


def counts(given: Judgments, own: Flags) -> Told:
    """`own` marks the judgments that count."""
    return {
        "judged": int(own.sum()),
        "cannot": int((own & ~given.is_graded).sum()),
        "unsure": int((own & given.is_unsure).sum()),
        **_seconds(given, own),
    }


def by_grade(given: Judgments, own: Flags, scale: range) -> list[Told]:
    """Of each grade of the scale, and at the end of what could not be judged (None)."""
    rows = [(grade, own & (given.grade == grade)) for grade in scale]
    rows.append((NO_GRADE, own & ~given.is_graded))
    return [
        {"grade": None if grade == NO_GRADE else grade, "n": int(of_grade.sum()), **_seconds(given, of_grade)}
        for grade, of_grade in rows
    ]


def medians(given: Judgments, chosen: Flags | Ints) -> tuple[Value, Value]:
    """Of the seconds while the page was visible and the person not idle, and of those by the clock on the wall."""
    return _median(given.visible[chosen]), _median(given.wall[chosen])


def _seconds(given: Judgments, chosen: Flags) -> Told:
    return as_json(dict(zip(("visible", "wall"), medians(given, chosen), strict=True)))


def _median(values: Floats) -> Value:
    told = values[~np.isnan(values)]
    return Value(float(np.median(told))) if len(told) else undefined(NOT_TOLD)
