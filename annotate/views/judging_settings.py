from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate import access
from annotate.forms.judging_settings import JudgingForm
from annotate.models import Collection, Judgment
from annotate.operations import collections, refreshing
from annotate.queries import hole_draw_preview, work_progress, workers
from annotate.views import judging_progress
from annotate.views.signed_in import signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def judging_settings(request: HttpRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = JudgingForm(
        request.POST or None,
        instance=collection,
        has_judgments=Judgment.objects.filter(assessor__collection=collection).exists(),
        has_draw=hole_draw_preview.in_force(collection) is not None,
    )
    if form.is_valid():
        try:
            collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
        except collections.CannotChange as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, "Saved. Pairs are judged so from now on.")
            return redirect("judging_settings", slug)
    told = {"form": form, **judging_progress.told(collection), **_following(collection)}
    return render(request, "annotate/judging_settings.html", told, status=422 if form.errors else 200)


def _following(collection: Collection) -> dict[str, object]:
    """The work that brings the pairs of a large collection in line with the settings, until it is done."""
    now = timezone.now()
    return {
        "following": work_progress.unfinished(collection, refreshing.REFRESH, now),
        "is_worker_silent": workers.is_silent(collection, now),
    }
