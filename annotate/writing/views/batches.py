"""One batch of questions to a model: how far it is, what it came to, and its end."""

from types import ModuleType

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.grades import batches
from annotate.models import Batch
from annotate.probes import operations as probes_operations
from annotate.probes import queries as probes_queries
from annotate.suggestions.operations import asking
from annotate.suggestions.queries import comparisons
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from annotate.writing.operations import writing


@require_safe
@signed_in
@vary_on_headers("HX-Request")
def batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """The page; for htmx its figures alone, which ask for themselves until the work is over."""
    collection = access.researched_or_404(request.user, slug)
    now = timezone.now()
    asked = get_object_or_404(Batch, collection=collection, pk=batch_id)
    told = {
        "collection": collection,
        "batch": batches.describe_batch(asked, now),
        "grades": comparisons.count_grades(asked),
        "others": comparisons.list_other_raters(asked),
        "probe": probes_queries.read_probe(asked, now) if asked.purpose == Batch.Purpose.PROBE else None,
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(
        request, "annotate/writing/_batch_figures.html" if request.htmx else "annotate/writing/batch.html", told
    )


@require_POST
@signed_in
def cancel_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    asked = get_object_or_404(Batch.objects.select_related("work", "rater"), collection=collection, pk=batch_id)
    _operations(asked).cancel(batch=asked, by=request.user, now=timezone.now())
    messages.success(request, "Cancelled: nothing more is asked; what was answered is kept.")
    return redirect("batch", slug, batch_id)


@require_POST
@signed_in
def ask_again(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Ask again about whatever has no grade or text."""
    collection = access.researched_or_404(request.user, slug)
    asked = get_object_or_404(Batch, collection=collection, pk=batch_id)
    try:
        _operations(asked).resume(batch=asked, by=request.user, now=timezone.now())
    except asking.CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


def _operations(batch: Batch) -> ModuleType:
    """Grades, texts and probes are asked for by different operations of the same names."""
    if batch.purpose == Batch.Purpose.PROBE:
        return probes_operations
    return writing if batch.purpose in writing.PURPOSES else asking
