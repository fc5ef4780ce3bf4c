"""The versions of Lacuna's own judges, and the models that one can be calibrated on."""

from collections.abc import Collection as Collected

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import Batch, Collection, Pair, Rater, Suggestion
from annotate.rules import own_judges


def versions(collection: Collection) -> QuerySet[Rater]:
    """The newest first."""
    return Rater.objects.filter(collection=collection, judge__in=own_judges.NAMES).order_by("-pk")


def newest_calibrated(collection: Collection) -> Rater | None:
    """The newest that has answered all it was asked about."""
    ended = Batch.objects.filter(rater=OuterRef("pk"), finished_at__isnull=False)
    return versions(collection).filter(Exists(ended), judge=own_judges.CALIBRATED).first()


def teachers(collection: Collection) -> QuerySet[Rater]:
    """Models of others with a grade: what an own judge says was learned from the judged pairs already."""
    graded = Suggestion.objects.filter(rater=OuterRef("pk"), state=Suggestion.State.DONE)
    models = Rater.objects.filter(Exists(graded), collection=collection, kind=Rater.Kind.MODEL)
    return models.exclude(judge__in=own_judges.NAMES).order_by("pk")


def lacks_calibrated(collection: Collection) -> bool:
    """Whether there are judged pairs and a model of others to calibrate on, and no version was asked for yet."""
    if versions(collection).filter(judge=own_judges.CALIBRATED).exists() or not teachers(collection).exists():
        return False
    return judged_pairs(collection) >= own_judges.LEAST_JUDGED


def without_earlier(collection: Collection) -> list[Rater]:
    """All models in their order, but of own judges the newest version of each and the one that assessors see alone."""
    newest = {version.judge: version.pk for version in reversed(list(versions(collection)))}
    kept = {collection.suggesting_rater_id, *newest.values()}
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
    return [model for model in models if model.judge not in own_judges.NAMES or model.pk in kept]


def warned(collection: Collection, names: Collected[str]) -> list[Rater]:
    """Those of these versions of own judges that say themselves what is doubtful about their grades."""
    if not names:
        return []
    return [rater for rater in versions(collection).filter(name__in=names) if rater.parameters.get("warning")]


def judged_pairs(collection: Collection) -> int:
    """How many pairs a grade closes, whether or not one can learn from it: told by one statement."""
    closed = Q(is_reference_closed=True) | Q(consensus_grade__isnull=False)
    return Pair.objects.filter(closed, collection=collection).count()
