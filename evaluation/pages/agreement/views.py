"""The pages of agreement: all raters, two in detail, the pairs behind a cell, several together; and their downloads."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render

from annotate.models import Collection, Guidelines, User
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.findings.agreement import agreement, graded_pairs
from evaluation.findings.agreement import matrix as agreement_matrix
from evaluation.findings.agreement.details import Details, DetailsQuestion
from evaluation.findings.agreement.graded_pairs import GradedPair
from evaluation.findings.agreement.matrix import Several, SeveralQuestion, WithFirst
from evaluation.findings.finding import KnownFinding
from evaluation.inputs import raters
from evaluation.pages.agreement import figure_tables, figures, tables, two_raters
from evaluation.pages.agreement.figures import FIGURES
from evaluation.pages.agreement.forms import AgreementForm, PairsForm, SeveralForm
from evaluation.pages.agreement.two_raters import DETAILS_TABLES, TABLES, TwoRaters
from evaluation.tables.table import DataTable


def _ask_details(shown: TwoRaters, by: User) -> KnownFinding[Details]:
    return web.ask_finding(shown.collection, DetailsQuestion.of_sides(shown.sides), by)


@web.research_page
def show_agreement(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """All raters against one another, and with `first` and `second` in the address these two in detail."""
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    context = {
        "collection": collection,
        "form": form,
        "matrix": tables.matrix_table(agreement_matrix.compute_matrix(collection), request.GET.get("by", "")),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if shown := two_raters.read_two_raters(collection, form):
        agreed = shown.result.figures
        context |= {
            "shown": shown,
            "found": shown.result,
            "heat": figures.heat_rows(agreed.confusion, shown.collection.scale),
            "heat_totals": figures.heat_totals(agreed.confusion),
        }
        if agreed.n:
            context |= _details_context(request, shown, form)
    return render(request, "evaluation/agreement/agreement.html", context, status=422 if form.errors else 200)


@web.research_page
def show_details(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The fragment that asks for itself until the intervals of two raters are computed."""
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    shown = two_raters.require_two_raters(collection, form)
    context = {"collection": collection, "form": form, "found": shown.result}
    context |= _details_context(request, shown, form)
    return render(request, "evaluation/agreement/_details.html", context)


def _details_context(request: SignedInRequest, shown: TwoRaters, form: AgreementForm) -> dict[str, object]:
    known = _ask_details(shown, request.user)
    context: dict[str, object] = {"details": known}
    if known.value:
        over = form.cleaned_data["over"]
        context |= {
            "intervals": shown.intervals(known.value, over),
            "part_intervals": figure_tables.list_parts(shown.result, known.value),
            "traits": [shown.length(known.value), shown.overlap(known.value)],
            "over": over,
        }
    return context


@web.research_page
def download_agreement(request: SignedInRequest, collection: Collection, name: str, format: str) -> HttpResponse:
    """A table or figure of the two raters in the address."""
    is_figure = format in web.DRAWINGS
    if name not in (FIGURES if is_figure else {*TABLES, *DETAILS_TABLES}):
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.list_raters(collection), request.GET.dict())
    shown = two_raters.require_two_raters(collection, form)
    if is_figure:
        return web.answer_figure(request, collection, FIGURES[name](shown), f"{collection.slug}-{name}", format)
    if name in DETAILS_TABLES:
        return _answer_details_table(request, shown, form, name, format)
    return web.answer_table(TABLES[name](shown), f"{collection.slug}-{name}", format)


def _answer_details_table(
    request: SignedInRequest, shown: TwoRaters, form: AgreementForm, name: str, format: str
) -> HttpResponse:
    """A table of what the background computes; a sentence (202) while it does."""
    known = _ask_details(shown, request.user)
    if known.value is None:
        raise web.NoFile("This table is being computed in the background. Ask again in a moment.", 202)
    table = DETAILS_TABLES[name](shown, known.value, form.cleaned_data["over"])
    return web.answer_table(table, f"{shown.collection.slug}-{name}", format)


@web.research_page
def download_matrix(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The matrix of all raters, as a table or a figure."""
    matrix, name = agreement_matrix.compute_matrix(collection), f"{collection.slug}-matrix"
    if format in web.DRAWINGS:
        return web.answer_figure(request, collection, figures.matrix_figure(matrix.rows), name, format)
    return web.answer_table(tables.matrix_table(matrix).table, name, format)


PAIRS_ON_A_PAGE = 20


@web.research_page
def show_pairs(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The pairs behind a cell: texts, both grades, and what the model or the people said."""
    form = PairsForm(request.GET.dict())
    context = {"collection": collection, "form": form}
    shown = two_raters.read_two_raters(collection, form)
    if shown is None:
        return render(request, "evaluation/agreement/pairs.html", context, status=422)
    table = _pairs_table(shown, form)
    page = Paginator(table.rows, PAIRS_ON_A_PAGE).get_page(form.cleaned_data["page"])
    context |= {
        "sides": shown.sides,
        "table": table,
        "page": page,
        "pairs": graded_pairs.describe_pairs(collection, shown.sides, list(page)),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    return render(request, "evaluation/agreement/pairs.html", context)


@web.research_page
def download_pairs(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """All of these pairs as a table to keep, without texts."""
    form = PairsForm(request.GET.dict())
    shown = two_raters.require_two_raters(collection, form)
    return web.answer_table(_pairs_table(shown, form).table, f"{collection.slug}-pairs", format)


def _pairs_table(shown: TwoRaters, form: PairsForm) -> DataTable[GradedPair]:
    asked = form.cleaned_data
    pairs = graded_pairs.list_pairs(
        shown.collection, shown.sides, first=asked["first_grade"], second=asked["second_grade"], query_id=asked["topic"]
    )
    columns = tables.pair_columns(shown.sides.first.words, shown.sides.second.words)
    return DataTable("pairs", f"Pairs that {shown.words} graded", columns, pairs, asked["sort"])


@web.research_page
def show_several(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Krippendorff's alpha of all people, of all raters, or of any that are ticked."""
    listed = raters.list_raters(collection)
    form = SeveralForm(listed, request.GET)
    context: dict[str, object] = {
        "collection": collection,
        "form": form,
        "listed": listed,
        "people": urlencode({"raters": agreement_matrix.list_people(listed)}, doseq=True),
        "independent": urlencode({"raters": agreement_matrix.list_independent(listed)}, doseq=True),
    }
    if shown := _read_several(collection, form):
        known = web.ask_finding(collection, SeveralQuestion.of_raters(shown.raters), request.user)
        context |= {
            "shown": shown,
            "raters": list(zip(shown.raters, shown.counted, strict=True)),
            "known": known,
            "table": tables.several_table(shown, known.value, form.cleaned_data["over"]),
            "each": _compare_with_first(collection, shown, form),
        }
    return render(request, "evaluation/agreement/several.html", context, status=422 if form.errors else 200)


@web.research_page
def show_models(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """A part of the page of suggestions: all models beside the reference, or beside people where there is none."""
    given = agreement_matrix.list_models_beside_people(collection)
    rows = agreement_matrix.compare_with_first(collection, given) if given else ()
    table = tables.with_first_table(given[0].words, rows) if given else None
    context = {"collection": collection, "each": table}
    return render(request, "evaluation/agreement/_models.html", context)


@web.research_page
def download_several(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The same as a table to keep; without the ends of intervals that are not computed yet."""
    form = SeveralForm(raters.list_raters(collection), request.GET)
    shown = _read_several(collection, form)
    web.valid_form(form)
    assert shown is not None
    if request.GET.get("table") == "each":
        return web.answer_table(_compare_with_first(collection, shown, form).table, f"{collection.slug}-each", format)
    known = web.ask_finding(collection, SeveralQuestion.of_raters(shown.raters), request.user)
    table = tables.several_table(shown, known.value, form.cleaned_data["over"]).table
    return web.answer_table(table, f"{collection.slug}-several", format)


def _compare_with_first(collection: Collection, shown: Several, form: SeveralForm) -> DataTable[WithFirst]:
    rows = agreement_matrix.compare_with_first(collection, shown.raters)
    return tables.with_first_table(shown.raters[0].words, rows, form.cleaned_data["sort"])


def _read_several(collection: Collection, form: SeveralForm) -> Several | None:
    """The raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    try:
        return agreement_matrix.compare_several(
            collection, agreement_matrix.choose_raters(collection, form.cleaned_data["raters"])
        )
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None
