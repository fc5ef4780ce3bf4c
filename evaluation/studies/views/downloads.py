"""What can be taken home of a study: its figures and tables one by one, its report, and everything in a zip."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.models import Study
from evaluation.studies.design.report import Report
from evaluation.studies.operations import files, lifecycle, reports
from evaluation.studies.views import study as study_page
from evaluation.web import answers

FILES: dict[str, tuple[Callable[[Study], bytes], str]] = {
    files.REPORT: (files.page, "text/html; charset=utf-8"),
    files.ARCHIVE: (files.archive, "application/zip"),
    files.RESULT: (files.result, "application/json"),
    files.MANIFEST: (files.manifest, "application/json"),
}


@require_safe
@signed_in
def study_file(request: SignedInRequest, slug: str, number: int, name: str) -> HttpResponse:
    """The whole of a study; where drawings of it are gone, they are drawn first."""
    collection = access.researched_or_404(request.user, slug)
    found = study_page.of(collection, number)
    if name not in FILES or (found.finished_at is None and name != files.MANIFEST):
        raise Http404("The study has no file of this name, or not yet.")
    make, content_type = FILES[name]
    try:
        content = make(found)
    except files.NotDrawnYet as reason:
        lifecycle.go_on(study=found, by=request.user, now=timezone.now())
        messages.info(request, f"{reason} They are being drawn: take the file as soon as that is done.")
        return redirect("study", slug, number)
    return answers.file(content, content_type, f"{slug}-study-{number}-{name}")


@require_safe
@signed_in
def study_figure(request: SignedInRequest, slug: str, number: int, name: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    figures = _report(study_page.of(collection, number)).figures
    if name not in figures:
        raise Http404("The study has no such figure.")
    return answers.figure(request, collection, figures[name], f"{slug}-study-{number}-{name}", format)


@require_safe
@signed_in
def study_table(request: SignedInRequest, slug: str, number: int, name: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    tables = _report(study_page.of(collection, number)).tables
    if name not in tables:
        raise Http404("The study has no such table.")
    return answers.table(tables[name], f"{slug}-study-{number}-{name}", format)


def _report(study: Study) -> Report:
    if study.finished_at is None:
        raise Http404("The study has found nothing yet.")
    return reports.of(study)
