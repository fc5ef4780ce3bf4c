"""What grades of a batch can be compared with: other models, the same model against another information need."""

import json
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count

from annotate.grades import model_raters
from annotate.grades.model_raters import GradeCount
from annotate.llm.grade_requests import Against
from annotate.models import Batch, Collection, Rater, Suggestion


@dataclass(frozen=True)
class NeedComparison:
    """Raters that differ only in what they graded against."""

    model: str
    prompt: str
    raters: dict[Against, Rater]

    @property
    def address(self) -> str:
        """Of the page that compares several raters."""
        return urlencode({"raters": [rater.name for rater in self.raters.values()]}, doseq=True)


def list_need_comparisons(collection: Collection) -> list[NeedComparison]:
    """Those with two raters at least, the newest first."""
    groups: dict[str, list[Rater]] = {}
    for rater in Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk"):
        if "against" in rater.parameters:
            rest = {name: value for name, value in rater.parameters.items() if name != "against"}
            groups.setdefault(json.dumps(rest, sort_keys=True), []).append(rater)
    found = [
        NeedComparison(
            rows[0].parameters["model"],
            rows[0].parameters["prompt_name"],
            {against: row for against in Against for row in rows if row.parameters["against"] == against},
        )
        for rows in groups.values()
        if len(rows) > 1
    ]
    return found[::-1]


MOST_OTHERS = 20


@dataclass(frozen=True)
class OtherRater:
    """Another model, which graded so many of the pairs that this batch graded."""

    rater: Rater
    common: int


def count_grades(batch: Batch) -> list[GradeCount]:
    """How often each grade was given; nothing where none was. Of several answers to a pair the first counts."""
    given = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0)
    counts = dict(given.values_list("grade").annotate(count=Count("pk")))
    return model_raters.grade_shares(counts, batch.collection) if counts else []


def list_other_raters(batch: Batch) -> list[OtherRater]:
    """Other models with grades of the same pairs, most in common first."""
    if batch.rater_id is None:
        return []
    mine = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0).values("pair")
    theirs = Suggestion.objects.visible().filter(pair__in=mine, state=Suggestion.State.DONE, draw=0)
    counts = theirs.exclude(rater=batch.rater_id).values_list("rater").annotate(count=Count("pk")).order_by("-count")
    common = dict(counts[:MOST_OTHERS])
    raters = Rater.objects.in_bulk(common)
    return [OtherRater(raters[rater_id], count) for rater_id, count in common.items()]
