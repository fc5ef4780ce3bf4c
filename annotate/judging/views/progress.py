"""What a researcher watches while people judge, and the switch that pauses them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.collections.operations import collections
from annotate.judging.queries import live_progress
from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_safe
@signed_in
def judging_progress(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself while pairs are open."""
    return render(request, "annotate/judging/_progress.html", told(access.researched_or_404(request.user, slug)))


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


def told(collection: Collection) -> dict[str, object]:
    return {"collection": collection, "live": live_progress.of(collection, timezone.now())}
