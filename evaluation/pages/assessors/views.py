"""How each assessor judges: for the researcher, by pseudonym, never ranked."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.models import Collection, Guidelines
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation import web
from evaluation.findings import assessors, finding
from evaluation.findings.assessors import Statistics
from evaluation.findings.finding import KnownFinding
from evaluation.pages.assessors import tables
from evaluation.pages.assessors.tables import TABLES
from evaluation.tables.table import DataTable


@require_safe
@signed_in
@vary_on_headers("HX-Request")
def show_assessors(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page; for htmx, which asks until they are computed, the statistics alone."""
    collection = access.researched_or_404(request.user, slug)
    known = _ask_statistics(request, collection)
    context: dict[str, object] = {
        "collection": collection,
        "known": known,
        "is_worker_silent": progress.is_worker_silent(collection, timezone.now()),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if known.value:
        context |= {
            "rows": tables.list_assessors(collection, known.value),
            "reference": tables.read_agreement(known.value["reference"], tables.NO_REFERENCE),
            "grade_heads": DataTable("grades", "", tables.GRADE_COLUMNS, []),
        }
    template = "evaluation/assessors/_assessors.html" if request.htmx else "evaluation/assessors/assessors.html"
    return render(request, template, context)


@require_safe
@signed_in
def download_assessors(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """One of the tables to keep; a sentence (202) until they are computed."""
    collection = access.researched_or_404(request.user, slug)
    if name not in TABLES:
        raise Http404("There is no such table of assessors.")
    known = _ask_statistics(request, collection)
    if known.value is None:
        sentence = "The statistics are being computed in the background. Ask again.\n"
        return HttpResponse(sentence, status=202, content_type="text/plain; charset=utf-8")
    table = TABLES[name](tables.list_assessors(collection, known.value))
    return web.answer_table(table, f"{slug}-{name}", format)


def _ask_statistics(request: SignedInRequest, collection: Collection) -> KnownFinding[Statistics]:
    question = assessors.QUESTION
    return finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())
