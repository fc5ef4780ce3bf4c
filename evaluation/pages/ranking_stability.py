"""When to stop judging: how sure the ranking of systems is, and which holes matter most for it."""

import itertools

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
    told: dict[str, object] = {
        "collection": collection,
        "judges": judges,
        "influence": influence,
        "influential": influence.value["top"][:HOLES_SHOWN] if influence else [],
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    if judge := _chosen(judges, request.GET.get("model", "")):
        question = StabilityQuestion.by_model(judge.name)
        known = finding.ask_finding(collection=collection, question=question, by=request.user, now=now)
        told |= {"judge": judge, "known": known, "pairs": _pairs(known.value)}
    template = (
        "evaluation/ranking_stability/_ranking_stability.html"
        if request.htmx
        else "evaluation/ranking_stability/ranking_stability.html"
    )
    return render(request, template, told)


def _chosen(judges: list[Rater], name: str) -> Rater | None:
    """The judge of a name, or the first where the name is of none."""
    return next((judge for judge in judges if judge.name == name), judges[0] if judges else None)


def _pairs(told: Stability | None) -> list[dict[str, object]]:
    """Neighbours, each with its share in percent, None where they are level today."""
    systems = told["systems"] if told else []
    return [
        {
            "before": system["run_tag"],
            "after": following["run_tag"],
            "percent": None if system["kept"] is None else round(100 * system["kept"]),
        }
        for system, following in itertools.pairwise(systems)
    ]
