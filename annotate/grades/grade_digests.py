"""How the grades of a rater are known again, so that a later change of them shows."""

import json
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from annotate.formats import digests
from annotate.grades import ratings
from annotate.models import Rater, ReferenceGrade, Suggestion


@dataclass(frozen=True)
class GradeDigest:
    """`grades`: how many. `digest`: SHA-256 over them in the order of the bytes of their lines."""

    rater: str
    grades: int
    digest: str


def of_reference(rater: Rater) -> GradeDigest:
    """Of the grades in force: without those that a draw of holes dropped."""
    rows = _published(rater).filter(dropped_by=None).values_list(*ratings.NAMES, "grade")
    return _of(rater, [" ".join(map(str, row)) for row in rows])


def of_model(rater: Rater) -> GradeDigest:
    """Of all answers with a grade, each with its probabilities where it has some, and others for scoring if it has."""
    rows = Suggestion.objects.filter(rater=rater, state=Suggestion.State.DONE).values_list(
        *ratings.NAMES, "draw", "grade", "probabilities", "for_scoring"
    )
    return _of(rater, [_line(named, chances, meant) for *named, chances, meant in rows.iterator()])


def stamp(rater: Rater) -> dict[str, int | None]:
    """What differs once grades of a reference came, went, were dropped or came back; told by one statement."""
    return _published(rater).aggregate(Count("pk"), Max("pk"), Count("dropped_by"))


def _published(rater: Rater) -> QuerySet[ReferenceGrade]:
    return ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED")


def _line(named: list[object], chances: list[float] | None, meant: list[float] | None) -> str:
    return " ".join([*map(str, named), json.dumps(chances), *([json.dumps(meant)] if meant else [])])


def _of(rater: Rater, lines: list[str]) -> GradeDigest:
    return GradeDigest(rater.name, len(lines), digests.of_lines(sorted(lines)))
