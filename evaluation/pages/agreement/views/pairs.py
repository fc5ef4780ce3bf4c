from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import Guidelines
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.findings.agreement import graded_pairs
from evaluation.findings.agreement.graded_pairs import GradedPair
from evaluation.pages.agreement.forms import PAIR_COLUMNS, PairsForm
from evaluation.pages.agreement.views import shown as shown_views
from evaluation.pages.agreement.views.shown import Shown
from evaluation.tables.table import Table
from evaluation.web import answers, sorting

ON_A_PAGE = 20
VALUES: dict[str, Callable[[GradedPair], Any]] = {
    "topic": lambda pair: pair.query_id,
    "passage": lambda pair: pair.passage_id,
    "first": lambda pair: pair.first,
    "second": lambda pair: pair.second,
    "difference": lambda pair: pair.difference,
}


@require_safe
@signed_in
def pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    """The pairs behind a cell: texts, both grades, and what the model or the people said."""
    collection = access.researched_or_404(request.user, slug)
    form = PairsForm(request.GET.dict())
    told = {"collection": collection, "form": form}
    shown = shown_views.asked(collection, form)
    if shown is None:
        return render(request, "evaluation/agreement/pairs.html", told, status=422)
    page = Paginator(_pairs(shown, form), ON_A_PAGE).get_page(form.cleaned_data["page"])
    told |= {
        "sides": shown.sides,
        "page": page,
        "told": graded_pairs.told(collection, shown.sides, list(page)),
        "heads": sorting.heads(form.cleaned_data["sort"], PAIR_COLUMNS, ["topic", "passage"]),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    return render(request, "evaluation/agreement/pairs.html", told)


@require_safe
@signed_in
def table(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """All of these pairs as a table to keep, without texts."""
    collection = access.researched_or_404(request.user, slug)
    form = PairsForm(request.GET.dict())
    shown = shown_views.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    columns = ("topic", "passage", shown.sides.first.words, shown.sides.second.words, "difference")
    rows = tuple(
        (pair.query_id, pair.passage_id, pair.first, pair.second, pair.difference) for pair in _pairs(shown, form)
    )
    told = Table(f"Pairs that {shown.words} graded", columns, rows)
    return answers.table(told, f"{slug}-pairs", format)


def _pairs(shown: Shown, form: PairsForm) -> list[GradedPair]:
    said = form.cleaned_data
    found = graded_pairs.of(
        shown.collection,
        shown.sides,
        first=said["first_grade"],
        second=said["second_grade"],
        query_id=said["topic"],
    )
    return sorting.sort(found, said["sort"], VALUES)
