"""How pairs are judged, what a researcher watches meanwhile, and the switch that pauses people."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.collections.operations import collections
from annotate.grades import ratings
from annotate.judging.forms import JudgingForm
from annotate.judging.queries import live_progress
from annotate.models import Collection, Judgment
from annotate.pairs import refresh
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
def judging_progress(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself while pairs are open."""
    return render(
        request, "annotate/judging/_progress.html", progress_context(access.researched_or_404(request.user, slug))
    )


@require_POST
@signed_in
def pause_judging(request: SignedInRequest, slug: str) -> HttpResponse:
    """Pause judging, or with `is_paused` empty open it again."""
    collection = access.researched_or_404(request.user, slug)
    is_paused = bool(request.POST.get("is_paused"))
    collections.change_judging(collection=collection, changes={"is_paused": is_paused}, by=request.user)
    sentence = "Judging is paused: nobody gets a pair; what was judged is kept." if is_paused else "Judging is open."
    messages.success(request, sentence)
    return redirect("judging_settings", slug)


def progress_context(collection: Collection) -> dict[str, object]:
    return {"collection": collection, "live": live_progress.read_live_progress(collection, timezone.now())}


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def judging_settings(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = JudgingForm(
        request.POST or None,
        instance=collection,
        has_judgments=Judgment.objects.filter(assessor__collection=collection).exists(),
        has_draw=ratings.hole_draw_in_force(collection) is not None,
    )
    if form.is_valid():
        try:
            collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
        except collections.CannotChange as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, "Saved. Pairs are judged so from now on.")
            return redirect("judging_settings", slug)
    context = {"form": form, **progress_context(collection), **_following(collection)}
    return render(request, "annotate/judging/judging_settings.html", context, status=422 if form.errors else 200)


def _following(collection: Collection) -> dict[str, object]:
    """The work that brings the pairs of a large collection in line with the settings, until it is done."""
    now = timezone.now()
    return {
        "following": progress.unfinished_progress(collection, refresh.REFRESH, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
