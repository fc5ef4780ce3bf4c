"""How the people agree who checked query variants."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.findings.agreement import variant_agreement
from evaluation.tables.table import Table, cell
from evaluation.web import answers


@require_safe
@signed_in
def page(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    told = {"collection": collection, "answers": variant_agreement.of(collection)}
    return render(request, "evaluation/agreement/variant_agreement.html", told)


@require_safe
@signed_in
def table(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """Every two people, and alpha of all, as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    lines = []
    for one in variant_agreement.of(collection):
        lines.append((one.question, "all", "", one.variants, None, None, cell(one.alpha)))
        for couple in one.couples:
            row = (couple.first, couple.second, couple.n, cell(couple.equal), cell(couple.kappa), None)
            lines.append((one.question, *row))
    columns = ("question", "first", "second", "variants", "equal", "kappa", "alpha_nominal")
    caption = "Agreement of people on query variants: alpha over all, kappa of every two"
    return answers.table(Table(caption, columns, tuple(lines), places=3), f"{slug}-variant-agreement", format)
