"""The pages of agreement: all raters, two in detail, the pairs behind a cell, several together; and their downloads."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.models import Collection, Guidelines, User
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation import web
from evaluation.agreement.value import Value
from evaluation.findings import finding
from evaluation.findings.agreement import agreement, graded_pairs, several
from evaluation.findings.agreement import matrix as agreement_matrix
from evaluation.findings.agreement.details import Details, DetailsQuestion
from evaluation.findings.agreement.graded_pairs import GradedPair
from evaluation.findings.agreement.several import Several, SeveralIntervals, SeveralQuestion
from evaluation.findings.finding import KnownFinding
from evaluation.inputs import raters
from evaluation.pages.agreement import figure_tables, figures, tables
from evaluation.pages.agreement import two_raters as shown_views
from evaluation.pages.agreement.figures import FIGURES
from evaluation.pages.agreement.forms import PAIR_COLUMNS, AgreementForm, PairsForm, SeveralForm
from evaluation.pages.agreement.two_raters import DETAILS_TABLES, TABLES, TwoRaters
from evaluation.tables import table
from evaluation.tables.table import Table, value_cell


def ask_details(shown: TwoRaters, by: User, now: datetime) -> KnownFinding[Details]:
    """What is known of `agreement_details`; where that is nothing, or stale, it is asked for."""
    question = DetailsQuestion.of_sides(shown.sides)
    return finding.ask_finding(collection=shown.collection, question=question, by=by, now=now)


@require_safe
@signed_in
def show_agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """All raters against one another, and with `first` and `second` in the address these two in detail."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    told = {
        "collection": collection,
        "form": form,
        "matrix": tables.sort_matrix(agreement_matrix.compute_matrix(collection), request.GET.get("by", "")),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if shown := shown_views.read_two_raters(collection, form):
        told |= _two_raters_context(shown)
        if shown.found.figures.n:
            told |= _details_context(request, shown, form)
    return render(request, "evaluation/agreement/agreement.html", told, status=422 if form.errors else 200)


@require_safe
@signed_in
def show_details(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself until the intervals of two raters are computed."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    shown = shown_views.read_two_raters(collection, form)
    if shown is None:
        return web.refuse_form(form)
    told = {"collection": collection, "form": form, "found": shown.found, **_details_context(request, shown, form)}
    return render(request, "evaluation/agreement/_details.html", told)


def _two_raters_context(shown: TwoRaters) -> dict[str, object]:
    found = shown.found
    return {
        "shown": shown,
        "found": found,
        "figure_rows": figure_tables.pair_with_people(found),
        "heat": figures.heat_rows(found.figures.confusion, shown.collection.scale),
        "heat_totals": figures.heat_totals(found.figures.confusion),
    }


def _details_context(request: SignedInRequest, shown: TwoRaters, form: AgreementForm) -> dict[str, object]:
    now = timezone.now()
    known = ask_details(shown, request.user, now)
    told: dict[str, object] = {"details": known, "is_worker_silent": progress.is_worker_silent(shown.collection, now)}
    if known.value:
        over = form.cleaned_data["over"]
        told |= {
            "intervals": figure_tables.list_intervals(shown.found, known.value, over),
            "part_intervals": figure_tables.list_part_intervals(shown.found, known.value),
            "traits": shown.traits(known.value),
            "over": over,
        }
    return told


@require_safe
@signed_in
def download_agreement(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or figure of the two raters in the address."""
    collection = access.researched_or_404(request.user, slug)
    is_figure = format in web.DRAWINGS
    if name not in (FIGURES if is_figure else {*TABLES, *DETAILS_TABLES}):
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    shown = shown_views.read_two_raters(collection, form)
    if shown is None:
        return web.refuse_form(form)
    if is_figure:
        return web.answer_figure(request, collection, FIGURES[name](shown), f"{slug}-{name}", format)
    if name in DETAILS_TABLES:
        return _answer_details_table(request, shown, form, name, format)
    return web.answer_table(TABLES[name](shown), f"{slug}-{name}", format)


def _answer_details_table(
    request: SignedInRequest, shown: TwoRaters, form: AgreementForm, name: str, format: str
) -> HttpResponse:
    """A table of what the background computes; a sentence (202) while it does."""
    known = ask_details(shown, request.user, timezone.now())
    if known.value is None:
        words = "This table is being computed in the background. Ask again in a moment.\n"
        return HttpResponse(words, status=202, content_type="text/plain; charset=utf-8")
    told = DETAILS_TABLES[name](shown, known.value, form.cleaned_data["over"])
    return web.answer_table(told, f"{shown.collection.slug}-{name}", format)


@require_safe
@signed_in
def download_matrix(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The matrix of all raters, as a table or a figure."""
    collection = access.researched_or_404(request.user, slug)
    matrix = agreement_matrix.compute_matrix(collection)
    if format in web.DRAWINGS:
        return web.answer_figure(request, collection, figures.matrix_figure(matrix.rows), f"{slug}-matrix", format)
    return web.answer_table(tables.matrix_table(matrix), f"{slug}-matrix", format)


PAIRS_ON_A_PAGE = 20
PAIR_VALUES: dict[str, Callable[[GradedPair], Any]] = {
    "topic": lambda pair: pair.query_id,
    "passage": lambda pair: pair.passage_id,
    "first": lambda pair: pair.first,
    "second": lambda pair: pair.second,
    "difference": lambda pair: pair.difference,
}


@require_safe
@signed_in
def show_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    """The pairs behind a cell: texts, both grades, and what the model or the people said."""
    collection = access.researched_or_404(request.user, slug)
    form = PairsForm(request.GET.dict())
    told = {"collection": collection, "form": form}
    shown = shown_views.read_two_raters(collection, form)
    if shown is None:
        return render(request, "evaluation/agreement/pairs.html", told, status=422)
    page = Paginator(_sorted_pairs(shown, form), PAIRS_ON_A_PAGE).get_page(form.cleaned_data["page"])
    told |= {
        "sides": shown.sides,
        "page": page,
        "told": graded_pairs.describe_pairs(collection, shown.sides, list(page)),
        "heads": table.sort_heads(form.cleaned_data["sort"], PAIR_COLUMNS, ["topic", "passage"]),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    return render(request, "evaluation/agreement/pairs.html", told)


@require_safe
@signed_in
def download_pairs(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """All of these pairs as a table to keep, without texts."""
    collection = access.researched_or_404(request.user, slug)
    form = PairsForm(request.GET.dict())
    shown = shown_views.read_two_raters(collection, form)
    if shown is None:
        return web.refuse_form(form)
    columns = ("topic", "passage", shown.sides.first.words, shown.sides.second.words, "difference")
    rows = tuple(
        (pair.query_id, pair.passage_id, pair.first, pair.second, pair.difference)
        for pair in _sorted_pairs(shown, form)
    )
    told = Table(f"Pairs that {shown.words} graded", columns, rows)
    return web.answer_table(told, f"{slug}-pairs", format)


def _sorted_pairs(shown: TwoRaters, form: PairsForm) -> list[GradedPair]:
    said = form.cleaned_data
    found = graded_pairs.list_pairs(
        shown.collection,
        shown.sides,
        first=said["first_grade"],
        second=said["second_grade"],
        query_id=said["topic"],
    )
    return table.sort_rows(found, said["sort"], PAIR_VALUES)


@dataclass(frozen=True)
class AlphaRow:
    """Alpha of one level; `interval` is what `bootstrap.Interval.as_json` tells, None until it is computed."""

    level: str
    alpha: Value
    interval: dict[str, Any] | None


@require_safe
@signed_in
def show_several(request: SignedInRequest, slug: str) -> HttpResponse:
    """Krippendorff's alpha of all people, of all raters, or of any that are ticked."""
    collection = access.researched_or_404(request.user, slug)
    listed = raters.list_raters(collection)
    form = SeveralForm(listed, request.GET)
    told: dict[str, object] = {
        "collection": collection,
        "form": form,
        "listed": listed,
        "people": urlencode({"raters": several.list_people(listed)}, doseq=True),
        "independent": urlencode({"raters": several.list_independent(listed)}, doseq=True),
    }
    if shown := _read_several(collection, form):
        known = _ask_intervals(request, collection, shown)
        told |= {
            "shown": shown,
            "raters": list(zip(shown.raters, shown.counted, strict=True)),
            "known": known,
            "rows": _alpha_rows(shown, known, form.cleaned_data["over"]),
            "is_worker_silent": progress.is_worker_silent(collection, timezone.now()),
        }
    return render(request, "evaluation/agreement/several.html", told, status=422 if form.errors else 200)


@require_safe
@signed_in
def download_several(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The same as a table to keep; without the ends of intervals that are not computed yet."""
    collection = access.researched_or_404(request.user, slug)
    form = SeveralForm(raters.list_raters(collection), request.GET)
    shown = _read_several(collection, form)
    if shown is None:
        return web.refuse_form(form)
    rows = _alpha_rows(shown, _ask_intervals(request, collection, shown), form.cleaned_data["over"])
    names = ", ".join(rater.words for rater in shown.raters)
    caption = f"Krippendorff's alpha of {names} on {shown.found.n} pairs that two of them or more graded"
    columns = ("alpha", "value", "low", "high", "interval")
    lines = tuple((row.level, value_cell(row.alpha), *_interval_cells(row.interval)) for row in rows)
    return web.answer_table(Table(caption, columns, lines, places=3), f"{slug}-several", format)


def _read_several(collection: Collection, form: SeveralForm) -> Several | None:
    """The raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    try:
        return several.compare_several(collection, several.choose_raters(collection, form.cleaned_data["raters"]))
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None


def _ask_intervals(request: SignedInRequest, collection: Collection, shown: Several) -> KnownFinding[SeveralIntervals]:
    question = SeveralQuestion.of_raters(shown.raters)
    return finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())


def _alpha_rows(shown: Several, known: KnownFinding[SeveralIntervals], over: str) -> list[AlphaRow]:
    told = known.value[over] if known.value else {}
    return [AlphaRow(level, alpha, told.get(level)) for level, alpha in shown.found.alpha.items()]


def _interval_cells(told: dict[str, Any] | None) -> tuple[float | None, float | None, str]:
    if told is None:
        return None, None, "being computed"
    how = figure_tables.describe_interval(told) if told["low"] is not None else f"undefined: {told['reason']}"
    return told["low"], told["high"], how
