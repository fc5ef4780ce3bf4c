"""The grades of a batch, and whom its rater can be compared with."""

from dataclasses import dataclass

from django.db.models import Count

from annotate.grades import model_raters
from annotate.grades.model_raters import VISIBLE, GradeCount
from annotate.models import Batch, Rater, Suggestion

MOST_OTHERS = 20


@dataclass(frozen=True)
class Other:
    """Another model, which graded so many of the pairs that this batch graded."""

    rater: Rater
    common: int


def distribution(batch: Batch) -> list[GradeCount]:
    """How often each grade was given; nothing where none was. Of several answers to a pair the first counts."""
    given = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0)
    counts = dict(given.values_list("grade").annotate(count=Count("pk")))
    return model_raters.shares(counts, batch.collection) if counts else []


def others(batch: Batch) -> list[Other]:
    """Other models with grades of the same pairs, most in common first."""
    if batch.rater_id is None:
        return []
    mine = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0).values("pair")
    theirs = Suggestion.objects.filter(VISIBLE, pair__in=mine, state=Suggestion.State.DONE, draw=0)
    counts = theirs.exclude(rater=batch.rater_id).values_list("rater").annotate(count=Count("pk")).order_by("-count")
    common = dict(counts[:MOST_OTHERS])
    raters = Rater.objects.in_bulk(common)
    return [Other(raters[rater_id], count) for rater_id, count in common.items()]
