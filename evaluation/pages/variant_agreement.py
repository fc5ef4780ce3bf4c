"""How the people agree who checked query variants."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render

from annotate.models import Collection
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.agreement.value import Value
from evaluation.findings.variants import QuestionAgreement, compare_people
from evaluation.tables.table import Column, DataTable, make_table, text_column
from evaluation.templatetags.findings import number_cell


@dataclass(frozen=True)
class AgreementRow:
    """Two people, or all of them, who have an alpha and no kappa."""

    question: str
    first: str
    second: str
    variants: int
    equal: Value | None = None
    kappa: Value | None = None
    alpha: Value | None = None


COLUMNS: list[Column[AgreementRow]] = [
    Column("", "", "question", lambda row: row.question),
    text_column("", "Person", "first", lambda row: row.first, is_row_head=True),
    text_column("", "and", "second", lambda row: row.second),
    Column("", "Variants", "variants", lambda row: row.variants),
    Column("", "Equal answers", "equal", lambda row: row.equal, number_cell()),
    Column("", "Kappa", "kappa", lambda row: row.kappa, number_cell()),
    Column("", "", "alpha_nominal", lambda row: row.alpha),
]


@web.research_page
def show(request: SignedInRequest, collection: Collection) -> HttpResponse:
    found = compare_people(collection)
    answers = [(each, DataTable(each.question, "", COLUMNS, _couples(each))) for each in found]
    context = {"collection": collection, "answers": answers}
    return render(request, "evaluation/agreement/variant_agreement.html", context)


@web.research_page
def download(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """Every two people, and alpha of all, as a table to keep."""
    caption = "Agreement of people on query variants: alpha over all, kappa of every two"
    table = make_table(caption, COLUMNS, _rows(compare_people(collection)), places=3)
    return web.answer_table(table, f"{collection.slug}-variant-agreement", format)


def _rows(found: Iterable[QuestionAgreement]) -> list[AgreementRow]:
    rows = []
    for each in found:
        rows += [AgreementRow(each.question, "all", "", each.variants, alpha=each.alpha), *_couples(each)]
    return rows


def _couples(found: QuestionAgreement) -> list[AgreementRow]:
    return [
        AgreementRow(found.question, each.first, each.second, each.n, each.equal, each.kappa) for each in found.couples
    ]
