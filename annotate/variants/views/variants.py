"""The query variants of a collection: who wrote them, what is measured of them, what people say of them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.grades import batches
from annotate.models import Batch, Collection
from annotate.variants.forms import DrawChecksForm
from annotate.variants.operations import checks, measures
from annotate.variants.queries import table, variant_checks
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import progress, workers

SHOWN_BATCHES = 5


@require_safe
@signed_in
def variants(request: SignedInRequest, slug: str) -> HttpResponse:
    return _page(request, access.researched_or_404(request.user, slug), DrawChecksForm())


@require_POST
@signed_in
def measure_variants(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    queued = measures.request(collection=collection, by=request.user, now=timezone.now())
    return redirect("work_progress", slug, queued.pk)


@require_POST
@signed_in
def draw_variant_checks(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = DrawChecksForm(request.POST)
    if not form.is_valid():
        return _page(request, collection, form)
    try:
        chosen = checks.draw(collection=collection, **form.cleaned_data)
    except checks.CannotDraw as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, form)
    messages.success(request, f"{chosen} variant{'s wait' if chosen != 1 else ' waits'} for the assessors now.")
    return redirect("variants", slug)


@require_POST
@signed_in
def end_variant_checks(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    checks.end(collection=collection)
    messages.success(request, "Nobody is asked about variants any more; what was said is kept.")
    return redirect("variants", slug)


def _page(request: SignedInRequest, collection: Collection, form: DrawChecksForm) -> HttpResponse:
    # PostgreSQL looks for no text with a NUL in it.
    said = {name: request.GET.get(name, "").replace("\0", "") for name in ("profile", "topic", "sort")}
    now = timezone.now()
    told = {
        "collection": collection,
        "form": form,
        "said": said,
        "page": table.page(collection, number=request.GET.get("page", 1), **said),
        "profiles": table.by_profile(collection),
        "unmeasured": table.unmeasured(collection),
        "measuring": progress.unfinished(collection, measures.MEASURE, now),
        "checks": variant_checks.by_profile(collection),
        "progress": variant_checks.progress(collection),
        "batches": batches.of_purpose(collection, Batch.Purpose.VARIANTS, now)[:SHOWN_BATCHES],
        "is_worker_silent": workers.is_silent(collection, now),
    }
    return render(request, "annotate/variants/variants.html", told, status=422 if form.errors else 200)
