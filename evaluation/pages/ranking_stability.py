"""When to stop judging: how sure the ranking of systems is, and which holes matter most for it."""

import itertools
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.models import Rater
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation.findings import finding, ranking_stability
from evaluation.findings import influence as influence_known
from evaluation.findings.ranking_stability import Stability, StabilityQuestion
from evaluation.tables.table import Column, DataTable, text_column

HOLES_SHOWN = 5


@require_safe
@signed_in
@vary_on_headers("HX-Request")
def show(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page; for htmx, which asks on the judging page and until it is computed, the section alone."""
    collection = access.researched_or_404(request.user, slug)
    now = timezone.now()
    judges = ranking_stability.list_judges(collection)
    influence = influence_known.find_influence(collection)
    context: dict[str, object] = {
        "collection": collection,
        "judges": judges,
        "influence": influence,
        "influential": influence.value["top"][:HOLES_SHOWN] if influence else [],
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    if judge := _chosen(judges, request.GET.get("model", "")):
        question = StabilityQuestion.by_model(judge.name)
        known = finding.ask_finding(collection=collection, question=question, by=request.user, now=now)
        context |= {"judge": judge, "known": known, "neighbours": _neighbours(known.value)}
    template = (
        "evaluation/ranking_stability/_ranking_stability.html"
        if request.htmx
        else "evaluation/ranking_stability/ranking_stability.html"
    )
    return render(request, template, context)


def _chosen(judges: list[Rater], name: str) -> Rater | None:
    """The judge of a name, or the first where the name is of none."""
    return next((judge for judge in judges if judge.name == name), judges[0] if judges else None)


@dataclass(frozen=True)
class Neighbours:
    """Two systems one after the other today; `kept` in percent of the draws, None where they are level today."""

    before: str
    after: str
    kept: float | None


COLUMNS: list[Column[Neighbours]] = [
    text_column("", "System", "system", lambda pair: pair.before, is_row_head=True),
    text_column("", "Stays before", "stays before", lambda pair: pair.after),
    Column("", "In draws", "in draws", lambda pair: "level today" if pair.kept is None else f"{round(pair.kept)} %"),
]


def _neighbours(found: Stability | None) -> DataTable[Neighbours]:
    pairs = [
        Neighbours(system["run_tag"], following["run_tag"], None if system["kept"] is None else 100 * system["kept"])
        for system, following in itertools.pairwise(found["systems"] if found else [])
    ]
    return DataTable("neighbours", "", COLUMNS, pairs)
