"""The models of a collection side by side, and the versions of Lacuna's own judges among them."""

from collections import defaultdict
from collections.abc import Collection as Collected
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotate.grades import holes
from annotate.models import Batch, Collection, Pair, Rater, Suggestion, raters
from annotate.work import progress as work_progress
from annotate.work.progress import Progress

HOLE = holes.is_hole("pair__")


def list_versions(collection: Collection) -> QuerySet[Rater]:
    """The newest first."""
    return Rater.objects.filter(collection=collection, judge__in=raters.OWN_JUDGES).order_by("-pk")


def list_teachers(collection: Collection) -> QuerySet[Rater]:
    """Models of others with a grade: what an own judge says was learned from the judged pairs already."""
    graded = Suggestion.objects.visible().filter(rater=OuterRef("pk"), state=Suggestion.State.DONE)
    models = Rater.objects.filter(Exists(graded), collection=collection, kind=Rater.Kind.MODEL)
    return models.exclude(judge__in=raters.OWN_JUDGES).order_by("pk")


def lacks_calibrated(collection: Collection) -> bool:
    """Whether there are judged pairs and a model of others to calibrate on, and no version was asked for yet."""
    if list_versions(collection).filter(judge=raters.CALIBRATED).exists() or not list_teachers(collection).exists():
        return False
    return count_judged_pairs(collection) >= raters.LEAST_JUDGED


def without_earlier(collection: Collection) -> list[Rater]:
    """All models in their order, but of own judges the newest version of each and the one that assessors see alone."""
    newest = {version.judge: version.pk for version in reversed(list(list_versions(collection)))}
    kept = {collection.suggesting_rater_id, *newest.values()}
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
    return [model for model in models if model.judge not in raters.OWN_JUDGES or model.pk in kept]


def list_warned(collection: Collection, names: Collected[str]) -> list[Rater]:
    """Those of these versions of own judges that say themselves what is doubtful about their grades."""
    if not names:
        return []
    return [rater for rater in list_versions(collection).filter(name__in=names) if rater.parameters.get("warning")]


def count_judged_pairs(collection: Collection) -> int:
    """How many pairs a grade closes, whether or not one can learn from it: one statement."""
    closed = Q(is_reference_closed=True) | Q(consensus_grade__isnull=False)
    return Pair.objects.filter(closed, collection=collection).count()


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


def compare_models(collection: Collection, now: datetime) -> list[ModelRater]:
    """All model raters, the newest last; of Lacuna's own judges the newest version of each and the one that assessors
    see. Of several answers to a pair the first counts."""
    graded, others = _counts(collection)
    holes_filled = _holes_filled(collection)
    works = {
        batch.rater_id: batch.work
        for batch in Batch.objects.filter(collection=collection).select_related("work").order_by("pk")
    }
    rows = []
    for rater in without_earlier(collection):
        work = works.get(rater.pk)
        given = graded[rater.pk]
        rows.append(
            ModelRater(
                rater=rater,
                graded=sum(given.values()),
                grades=grade_shares(given, collection),
                without_grade=sorted(others[rater.pk].items()),
                holes=holes_filled.get(rater.pk, 0),
                progress=work_progress.measure_progress(work, now) if work else None,
            )
        )
    return rows


def _counts(collection: Collection) -> tuple[dict[int, dict[int, int]], dict[int, dict[str, int]]]:
    """By rater: how often each grade, and how often each state without a grade."""
    graded: dict[int, dict[int, int]] = defaultdict(dict)
    others: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Suggestion.objects.visible().filter(rater__collection=collection, draw=0)
    for rater, state, grade, count in rows.values_list("rater", "state", "grade").annotate(count=Count("pk")):
        if grade is None:
            others[rater][Suggestion.State(state).label] = count
        else:
            graded[rater][grade] = count
    return graded, others


def _holes_filled(collection: Collection) -> dict[int, int]:
    """By rater, how many of today's holes it gives a grade."""
    rows = Suggestion.objects.visible().filter(HOLE, rater__collection=collection, state="DONE", draw=0)
    return dict(rows.values("rater").annotate(count=Count("pk")).values_list("rater", "count"))


def grade_shares(given: dict[int, int], collection: Collection) -> list[GradeCount]:
    """Counts by grade as rows of the scale."""
    total = sum(given.values())
    return [
        GradeCount(grade, given.get(grade, 0), 100 * given.get(grade, 0) / total if total else 0)
        for grade in collection.scale.grades
    ]
