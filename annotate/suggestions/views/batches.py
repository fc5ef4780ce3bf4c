"""One batch of questions to a judge: how far it is, what it came to, and its end."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.grades import batches as batch_queries
from annotate.models import Batch
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
@vary_on_headers("HX-Request")
def batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """The page; for htmx its figures alone, which ask for themselves until the work is over."""
    asked, now = _find(request, slug, batch_id), timezone.now()
    context = {
        "collection": asked.collection,
        "batch": batch_queries.describe_batch(asked, now),
        "is_worker_silent": progress.is_worker_silent(asked.collection, now),
        **batches.find_purpose(asked).findings(now),
    }
    page = "_batch_figures" if request.htmx else "batch"
    return render(request, f"annotate/suggestions/{page}.html", context)


@require_POST
@signed_in
def cancel_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    batches.cancel(batch=_find(request, slug, batch_id), by=request.user, now=timezone.now())
    messages.success(request, "Cancelled: nothing more is asked; what was answered is kept.")
    return redirect("batch", slug, batch_id)


@require_POST
@signed_in
def ask_again(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Ask again about whatever has no grade or text."""
    try:
        batches.resume(batch=_find(request, slug, batch_id), by=request.user, now=timezone.now())
    except CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


@require_POST
@signed_in
def take_back_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Take out what a batch wrote."""
    written = _find(request, slug, batch_id, purpose__in=batch_queries.OF_TEXTS)
    try:
        taken = batches.take_back(batch=written)
        messages.success(request, f"Taken out: {taken} of {written.get_purpose_display()}. The answers stay here.")
    except CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


def _find(request: SignedInRequest, slug: str, batch_id: int, **more: object) -> Batch:
    collection = access.researched_or_404(request.user, slug)
    read = Batch.objects.select_related("work", "rater", "prompt", "collection")
    return get_object_or_404(read, collection=collection, pk=batch_id, **more)
