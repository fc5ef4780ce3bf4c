"""Which holes matter for the ranking of systems, and judging them first."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import progress, workers
from evaluation.findings.influence import computation
from evaluation.findings.influence import known as influence_known
from evaluation.findings.influence import table as influence_table
from evaluation.pages.influence.forms import InfluenceForm
from evaluation.web import answers


@require_safe
@signed_in
def page(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    return _page(request, collection, InfluenceForm(collection))


@require_POST
@signed_in
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    """Compute it in the background, and with `orders` let holes be judged in its order."""
    collection = access.researched_or_404(request.user, slug)
    form = InfluenceForm(collection, request.POST)
    if form.is_valid():
        said = {"weights": form.cleaned_data["weights"], "orders": "orders" in request.POST}
        try:
            computation.request(collection=collection, **said, by=request.user, now=timezone.now())
        except computation.CannotWeight as reason:
            form.add_error("weights", str(reason))
        else:
            messages.success(request, "It is being computed in the background.")
            return redirect("influence", slug)
    return _page(request, collection, form)


@require_safe
@signed_in
def table(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The holes that the page shows as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    known = influence_known.of(collection)
    if known is None:
        sentence = "Influence was not computed yet.\n"
        return HttpResponse(sentence, status=409, content_type="text/plain; charset=utf-8")
    return answers.table(influence_table.of(known.value), f"{slug}-influence", format)


def _page(request: SignedInRequest, collection: Collection, form: InfluenceForm) -> HttpResponse:
    now = timezone.now()
    told = {
        "collection": collection,
        "form": form,
        "known": influence_known.of(collection),
        "progress": progress.unfinished(collection, computation.KIND, now),
        "is_worker_silent": workers.is_silent(collection, now),
    }
    return render(request, "evaluation/influence/influence.html", told, status=422 if form.errors else 200)
