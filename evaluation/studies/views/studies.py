"""The studies of a collection, and asking for one more."""

import re

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import workers
from evaluation.models import Study
from evaluation.studies import forms as study_forms
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.studies.operations import lifecycle
from evaluation.studies.queries import offered as offered_queries


@require_safe
@signed_in
def studies(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    rows = (
        Study.objects.filter(collection=collection)
        .select_related("work", "created_by")
        .defer("result", "report", "manifest")
    )
    told = {
        "collection": collection,
        "studies": rows.order_by("-number"),
        "offered": offered_queries.of(collection),
        "is_worker_silent": workers.is_silent(collection, timezone.now()),
    }
    return render(request, "evaluation/studies/studies.html", told)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_study(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    offered = offered_queries.named(collection, kind)
    if offered is None:
        raise Http404("There is no such kind of study.")
    sent = request.POST if request.method == "POST" else None
    form = study_forms.of(offered.kind, collection, sent, _plan_of(collection, offered.kind, request.GET.get("like")))
    if form.is_valid() and "estimate" not in request.POST:
        try:
            study = lifecycle.request(
                collection=collection,
                kind=offered.kind,
                plan=form.plan(),
                title=form.cleaned_data["title"],
                by=request.user,
                now=timezone.now(),
            )
        except CannotStudy as reason:
            form.add_error(None, str(reason))
        else:
            return redirect("study", slug, study.number)
    told = {"collection": collection, "offered": offered, "form": form}
    if form.is_bound and form.is_valid():
        told["time_needed"] = form.time_needed
    return render(request, "evaluation/studies/new_study.html", told, status=422 if form.errors else 200)


def _plan_of(collection: Collection, kind: str, number: str | None) -> dict[str, object] | None:
    """Of the study of this number, to be changed; None where there is none."""
    if number is None or not re.fullmatch("[0-9]{1,9}", number):
        return None
    found = Study.objects.filter(collection=collection, kind=kind, number=number).only("plan", "title").first()
    return None if found is None else {**found.plan, "title": found.title}
