from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.models import Guidelines
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import workers
from evaluation.findings.agreement import matrix
from evaluation.inputs import raters
from evaluation.pages.agreement.forms import AgreementForm
from evaluation.pages.agreement.views import confusion_heat, matrix_rows
from evaluation.pages.agreement.views import found as found_views
from evaluation.pages.agreement.views import shown as shown_views
from evaluation.pages.agreement.views.shown import Shown
from evaluation.web import answers, figure_rows, interval_rows


@require_safe
@signed_in
def agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """All raters against one another, and with `first` and `second` in the address these two in detail."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    told = {
        "collection": collection,
        "form": form,
        "matrix": matrix_rows.sort(matrix.of(collection), request.GET.get("by", "")),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if shown := shown_views.asked(collection, form):
        told |= _about(shown)
        if shown.found.figures.n:
            told |= _details(request, shown, form)
    return render(request, "evaluation/agreement/agreement.html", told, status=422 if form.errors else 200)


@require_safe
@signed_in
def details(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself until the intervals of two raters are computed."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    shown = shown_views.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    told = {"collection": collection, "form": form, "found": shown.found, **_details(request, shown, form)}
    return render(request, "evaluation/agreement/_details.html", told)


def _about(shown: Shown) -> dict[str, object]:
    found = shown.found
    return {
        "shown": shown,
        "found": found,
        "figure_rows": figure_rows.beside(found),
        "heat": confusion_heat.rows(found.figures.confusion, shown.collection.scale),
        "heat_totals": confusion_heat.totals(found.figures.confusion),
    }


def _details(request: SignedInRequest, shown: Shown, form: AgreementForm) -> dict[str, object]:
    now = timezone.now()
    known = found_views.details(shown, request.user, now)
    told: dict[str, object] = {"details": known, "is_worker_silent": workers.is_silent(shown.collection, now)}
    if known.value:
        over = form.cleaned_data["over"]
        told |= {
            "intervals": interval_rows.of_figures(shown.found, known.value, over),
            "part_intervals": interval_rows.of_parts(shown.found, known.value),
            "traits": shown.traits(known.value),
            "over": over,
        }
    return told
