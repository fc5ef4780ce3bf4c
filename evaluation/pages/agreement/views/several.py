from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import workers
from evaluation.agreement.value import Value
from evaluation.findings import finding
from evaluation.findings.agreement import agreement, several
from evaluation.findings.agreement.several import Several
from evaluation.findings.finding import Known
from evaluation.inputs import questions, raters
from evaluation.pages.agreement.forms import SeveralForm
from evaluation.tables.table import Table, cell
from evaluation.web import answers, interval_rows


@dataclass(frozen=True)
class Row:
    """Alpha of one level; `interval` is what `bootstrap.Interval.as_json` tells, None until it is computed."""

    level: str
    alpha: Value
    interval: dict[str, Any] | None


@require_safe
@signed_in
def page(request: SignedInRequest, slug: str) -> HttpResponse:
    """Krippendorff's alpha of all people, of all raters, or of any that are ticked."""
    collection = access.researched_or_404(request.user, slug)
    listed = raters.listed(collection)
    form = SeveralForm(listed, request.GET)
    told: dict[str, object] = {
        "collection": collection,
        "form": form,
        "listed": listed,
        "people": urlencode({"raters": several.people(listed)}, doseq=True),
        "independent": urlencode({"raters": several.independent(listed)}, doseq=True),
    }
    if shown := _asked(collection, form):
        known = _intervals(request, collection, shown)
        told |= {
            "shown": shown,
            "raters": list(zip(shown.raters, shown.counted, strict=True)),
            "known": known,
            "rows": _rows(shown, known, form.cleaned_data["over"]),
            "is_worker_silent": workers.is_silent(collection, timezone.now()),
        }
    return render(request, "evaluation/agreement/several.html", told, status=422 if form.errors else 200)


@require_safe
@signed_in
def table(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The same as a table to keep; without the ends of intervals that are not computed yet."""
    collection = access.researched_or_404(request.user, slug)
    form = SeveralForm(raters.listed(collection), request.GET)
    shown = _asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    rows = _rows(shown, _intervals(request, collection, shown), form.cleaned_data["over"])
    names = ", ".join(rater.words for rater in shown.raters)
    caption = f"Krippendorff's alpha of {names} on {shown.found.n} pairs that two of them or more graded"
    columns = ("alpha", "value", "low", "high", "interval")
    lines = tuple((row.level, cell(row.alpha), *_ends(row.interval)) for row in rows)
    return answers.table(Table(caption, columns, lines, places=3), f"{slug}-several", format)


def _asked(collection: Collection, form: SeveralForm) -> Several | None:
    """The raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    try:
        return several.of(collection, several.chosen(collection, form.cleaned_data["raters"]))
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None


def _intervals(request: SignedInRequest, collection: Collection, shown: Several) -> Known:
    names = [rater.address for rater in shown.raters]
    question = questions.several(names, several.models(shown.raters))
    return finding.ask(collection=collection, question=question, by=request.user, now=timezone.now())


def _rows(shown: Several, known: Known, over: str) -> list[Row]:
    told = known.value[over] if known.value else {}
    return [Row(level, alpha, told.get(level)) for level, alpha in shown.found.alpha.items()]


def _ends(told: dict[str, Any] | None) -> tuple[float | None, float | None, str]:
    if told is None:
        return None, None, "being computed"
    how = interval_rows.drawn(told) if told["low"] is not None else f"undefined: {told['reason']}"
    return told["low"], told["high"], how
