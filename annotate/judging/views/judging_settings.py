from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.collections.operations import collections
from annotate.grades import hole_draw_preview
from annotate.judging.forms.judging_settings import JudgingForm
from annotate.judging.views import progress as progress_views
from annotate.models import Collection, Judgment
from annotate.pairs.operations import refresh
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import progress as work_progress
from annotate.work import workers


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def judging_settings(request: SignedInRequest, slug: str) -> HttpResponse:
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
    told = {"form": form, **progress_views.told(collection), **_following(collection)}
    return render(request, "annotate/judging/judging_settings.html", told, status=422 if form.errors else 200)


def _following(collection: Collection) -> dict[str, object]:
    """The work that brings the pairs of a large collection in line with the settings, until it is done."""
    now = timezone.now()
    return {
        "following": work_progress.unfinished(collection, refresh.REFRESH, now),
        "is_worker_silent": workers.is_silent(collection, now),
    }
