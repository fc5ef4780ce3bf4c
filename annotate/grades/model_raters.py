"""The models of a collection side by side: what each said, how often it said nothing, and which holes it covers."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotate.grades import own_judges
from annotate.models import Batch, Collection, Rater, Suggestion
from annotate.work import progress as work_progress
from annotate.work.progress import Progress

HOLE = Q(pair__is_pooled=True, pair__is_reference_closed=False, pair__consensus_grade=None)
VISIBLE = Q(batch__isnull=False) | Q(source__state="PUBLISHED")


@dataclass(frozen=True)
class GradeCount:
    """`share` of all graded pairs in percent."""

    grade: int
    count: int
    share: float


@dataclass(frozen=True)
class ModelRater:
    """`without_grade`: how many answers ended in each state that has no grade. `progress`: of its newest batch."""

    rater: Rater
    graded: int
    grades: list[GradeCount]
    without_grade: list[tuple[str, int]]
    holes: int
    progress: Progress | None


def side_by_side(collection: Collection, now: datetime) -> list[ModelRater]:
    """All model raters, the newest last; of Lacuna's own judges the newest version of each and the one that assessors
    see. Of several answers to a pair the first counts."""
    graded, others = _counts(collection)
    holes = _holes(collection)
    works = {
        batch.rater_id: batch.work
        for batch in Batch.objects.filter(collection=collection).select_related("work").order_by("pk")
    }
    rows = []
    for rater in own_judges.without_earlier(collection):
        work = works.get(rater.pk)
        given = graded[rater.pk]
        rows.append(
            ModelRater(
                rater=rater,
                graded=sum(given.values()),
                grades=shares(given, collection),
                without_grade=sorted(others[rater.pk].items()),
                holes=holes.get(rater.pk, 0),
                progress=work_progress.of(work, now) if work else None,
            )
        )
    return rows


def _counts(collection: Collection) -> tuple[dict[int, dict[int, int]], dict[int, dict[str, int]]]:
    """By rater: how often each grade, and how often each state without a grade."""
    graded: dict[int, dict[int, int]] = defaultdict(dict)
    others: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Suggestion.objects.filter(VISIBLE, rater__collection=collection, draw=0)
    for rater, state, grade, count in rows.values_list("rater", "state", "grade").annotate(count=Count("pk")):
        if grade is None:
            others[rater][Suggestion.State(state).label] = count
        else:
            graded[rater][grade] = count
    return graded, others


def _holes(collection: Collection) -> dict[int, int]:
    """By rater, how many of today's holes it gives a grade."""
    rows = Suggestion.objects.filter(VISIBLE, HOLE, rater__collection=collection, state=Suggestion.State.DONE, draw=0)
    return dict(rows.values("rater").annotate(count=Count("pk")).values_list("rater", "count"))


def shares(given: dict[int, int], collection: Collection) -> list[GradeCount]:
    """Counts by grade as rows of the scale."""
    total = sum(given.values())
    return [
        GradeCount(grade, given.get(grade, 0), 100 * given.get(grade, 0) / total if total else 0)
        for grade in collection.scale.grades
    ]
