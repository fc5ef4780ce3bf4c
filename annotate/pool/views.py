"""The page of the pool: building it, holding out judgments, retrieving with the built-in systems."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotate.collections import queries as collections_queries
from annotate.grades import holes, ratings
from annotate.models import Collection
from annotate.pairs import refresh
from annotate.pool.forms import HoleDrawForm, PoolForm
from annotate.pool.operations import pooling, retrieval
from annotate.web.access import SignedInRequest, researched
from annotate.work import progress


@require_http_methods(["GET", "HEAD", "POST"])
@researched
def pool(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = PoolForm(request.POST or None, initial={"depth": collection.pool_depth})
    if form.is_valid():
        pooling.request_pool(
            collection=collection, depth=form.cleaned_data["depth"], by=request.user, now=timezone.now()
        )
        return redirect("pool", collection.slug)
    return _page(request, collection, pool_form=form)


@require_POST
@researched
def draw_holes(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Draw synthetic holes, or with `preview` only say what would be drawn."""
    form = HoleDrawForm(collection.scale, request.POST)
    if not form.is_valid() or "preview" in request.POST:
        return _page(request, collection, draw_form=form)
    cleaned = form.cleaned_data
    try:
        draw = pooling.draw_holes(
            collection=collection,
            fraction=cleaned["fraction"],
            chosen=cleaned["grades"],
            seed=cleaned["seed"],
            by=request.user,
            now=timezone.now(),
        )
    except pooling.CannotDraw as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, draw_form=form)
    messages.success(request, f"Drawn: {draw.dropped:,} of the grades are dropped; nobody who judges sees them.")
    return redirect("pool", collection.slug)


@require_POST
@researched
def undo_draw(request: SignedInRequest, collection: Collection) -> HttpResponse:
    try:
        draw = pooling.undo_draw(collection=collection, by=request.user, now=timezone.now())
    except pooling.CannotDraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(
            request, f"Taken back: {draw.dropped:,} of the grades count again; what was judged meanwhile is kept."
        )
    return redirect("pool", collection.slug)


def _page(
    request: SignedInRequest,
    collection: Collection,
    *,
    pool_form: PoolForm | None = None,
    draw_form: HoleDrawForm | None = None,
) -> HttpResponse:
    now = timezone.now()
    context = {
        "collection": collection,
        "facts": collections_queries.count_facts(collection),
        "progress": progress.newest_progress(collection, pooling.BUILD, now),
        "following": progress.unfinished_progress(collection, refresh.REFRESH, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
        "topics": holes.holes_by_topic(collection),
        "runs": holes.holes_by_run(collection, collection.pool_depth),
        "draw": ratings.hole_draw_in_force(collection),
        "preview": _preview(collection, draw_form),
        "pool_form": pool_form or PoolForm(initial={"depth": collection.pool_depth}),
        "draw_form": draw_form or HoleDrawForm(collection.scale),
    }
    is_refused = any(form is not None and form.errors for form in (pool_form, draw_form))
    return render(request, "annotate/pool/pool.html", context, status=422 if is_refused else 200)


def _preview(collection: Collection, form: HoleDrawForm | None) -> list[holes.GradeLoss] | None:
    if form is None or not form.is_valid():
        return None
    cleaned = form.cleaned_data
    return holes.preview_hole_draw(
        collection, fraction=cleaned["fraction"], chosen=cleaned["grades"], seed=cleaned["seed"]
    )


@require_POST
@researched
def retrieve(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Start the built-in systems; the page of their work shows how far they are."""
    try:
        queued = retrieval.request_retrieval(
            collection=collection, with_variants="with_variants" in request.POST, by=request.user, now=timezone.now()
        )
    except retrieval.CannotRetrieve as reason:
        messages.error(request, str(reason))
        return redirect("pool", collection.slug)
    return redirect("work_progress", collection.slug, queued.pk)
