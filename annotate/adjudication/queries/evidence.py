"""What a decision rests on: how much people had said, and what of it stood before the adjudicator."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.models import Judgment, Pair


@dataclass(frozen=True)
class Evidence:
    """`judgments`: of people, as they stand. `acts`: how often somebody judged, changed or decided after a reveal; it
    only grows, so that a difference tells that somebody said something in between."""

    judgments: int
    acts: int


@dataclass(frozen=True)
class Shown:
    """What stood before the adjudicator: the version of the decision in force (0: none), the acts of assessors, whether
    their names were in view, and the row id of the suggestion that was."""

    version: int
    acts: int
    names: bool
    suggestion: int | None


def of(pair: Pair) -> Evidence:
    counts = Judgment.objects.filter(pair=pair, round=1).aggregate(
        current=Count("pk", filter=Q(is_current=True)), all=Count("pk"), decided=Count("decided_at")
    )
    return Evidence(counts["current"], counts["all"] + counts["decided"])
