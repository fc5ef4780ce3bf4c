from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate import access
from annotate.models import Guidelines
from annotate.queries import workers
from annotate.views.signed_in import signed_in
from evaluation.forms import AgreementForm
from evaluation.queries import agreement_matrix, raters
from evaluation.views import (
    agreement_found,
    agreement_shown,
    answers,
    confusion_heat,
    figure_rows,
    interval_rows,
    matrix_rows,
)
from evaluation.views.agreement_shown import Shown


@require_safe
@signed_in
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """All raters against one another, and with `first` and `second` in the address these two in detail."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    told = {
        "collection": collection,
        "form": form,
        "matrix": matrix_rows.sort(agreement_matrix.of(collection), request.GET.get("by", "")),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if shown := agreement_shown.asked(collection, form):
        told |= _about(shown)
        if shown.found.figures.n:
            told |= _details(request, shown, form)
    return render(request, "evaluation/agreement.html", told, status=422 if form.errors else 200)


@require_safe
@signed_in
def details(request: HttpRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself until the intervals of two raters are computed."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    shown = agreement_shown.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    told = {"collection": collection, "form": form, "found": shown.found, **_details(request, shown, form)}
    return render(request, "evaluation/_details.html", told)


def _about(shown: Shown) -> dict[str, object]:
    found = shown.found
    return {
        "shown": shown,
        "found": found,
        "figure_rows": figure_rows.beside(found),
        "heat": confusion_heat.rows(found.figures.confusion, shown.collection.scale),
        "heat_totals": confusion_heat.totals(found.figures.confusion),
    }


def _details(request: HttpRequest, shown: Shown, form: AgreementForm) -> dict[str, object]:
    now = timezone.now()
    known = agreement_found.details(shown, request.user, now)
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
