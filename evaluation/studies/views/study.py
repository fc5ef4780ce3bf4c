"""One study: how far it is, what it found, and what can be done with it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import progress, workers
from evaluation.models import Study
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.studies.operations import files, lifecycle, reports
from evaluation.studies.views import tables


@require_safe
@signed_in
def study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    found, now = of(collection, number), timezone.now()
    told: dict[str, object] = {
        "collection": collection,
        "study": found,
        "progress": None if found.work is None else progress.of(found.work, now),
        "is_worker_silent": workers.is_silent(collection, now),
        "manifest": files.manifest(found).decode(),
    }
    if found.finished_at is not None:
        asked = {name: request.GET.get(name, "") for name in ("sort", "whole")}
        report = reports.of(found)
        figures = reports.drawn(report)
        told |= {
            "report": report,
            "figures": figures,
            "is_drawn": all(drawn.is_whole for drawn in figures.values()),
            "tables": tables.of(report.tables, asked["sort"], asked["whole"]),
            "asked": asked,
        }
    return render(request, "evaluation/studies/study.html", told)


@require_POST
@signed_in
def run_study_again(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """The same plan on the grades and runs of today."""
    collection = access.researched_or_404(request.user, slug)
    earlier = of(collection, number)
    try:
        later = lifecycle.again(study=earlier, by=request.user, now=timezone.now())
    except CannotStudy as reason:
        messages.error(request, str(reason))
        return redirect("study", slug, number)
    if later == earlier:
        messages.info(request, "Nothing of what it rests on has changed since: it would find the same.")
    return redirect("study", slug, later.number)


@require_POST
@signed_in
def go_on_with_study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Compute and draw what it still lacks."""
    collection = access.researched_or_404(request.user, slug)
    lifecycle.go_on(study=of(collection, number), by=request.user, now=timezone.now())
    return redirect("study", slug, number)


@require_POST
@signed_in
def delete_study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    found = of(collection, number)
    lifecycle.remove(study=found)
    messages.success(request, f"Study {number}, {found.title}, is deleted.")
    return redirect("studies", slug)


def of(collection: Collection, number: int) -> Study:
    """404 where the collection has no study of this number. Its result, which may be large, is read when it is used."""
    rows = Study.objects.select_related("collection", "work", "created_by").defer("result")
    return get_object_or_404(rows, collection=collection, number=number)
