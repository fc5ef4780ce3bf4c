"""How the people agree who checked query variants."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from evaluation import web
from evaluation.findings import variants
from evaluation.tables.table import Table, value_cell


@require_safe
@signed_in
def show(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    told = {"collection": collection, "answers": variants.compare_people(collection)}
    return render(request, "evaluation/agreement/variant_agreement.html", told)


@require_safe
@signed_in
def download(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """Every two people, and alpha of all, as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    lines = []
    for one in variants.compare_people(collection):
        lines.append((one.question, "all", "", one.variants, None, None, value_cell(one.alpha)))
        for couple in one.couples:
            row = (couple.first, couple.second, couple.n, value_cell(couple.equal), value_cell(couple.kappa), None)
            lines.append((one.question, *row))
    columns = ("question", "first", "second", "variants", "equal", "kappa", "alpha_nominal")
    caption = "Agreement of people on query variants: alpha over all, kappa of every two"
    return web.answer_table(Table(caption, columns, tuple(lines), places=3), f"{slug}-variant-agreement", format)
