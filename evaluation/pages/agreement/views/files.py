"""The downloads of agreement. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.findings.agreement import matrix as agreement_matrix
from evaluation.inputs import raters
from evaluation.pages.agreement.forms import AgreementForm
from evaluation.pages.agreement.views import figures, found, matrix_rows
from evaluation.pages.agreement.views import shown as shown_views
from evaluation.pages.agreement.views.figures import FIGURES
from evaluation.pages.agreement.views.shown import Shown
from evaluation.pages.agreement.views.tables import OF_DETAILS, TABLES
from evaluation.web import answers


@require_safe
@signed_in
def of_two(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or figure of the two raters in the address."""
    collection = access.researched_or_404(request.user, slug)
    is_figure = format in answers.DRAWINGS
    if name not in (FIGURES if is_figure else {*TABLES, *OF_DETAILS}):
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    shown = shown_views.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    if is_figure:
        return answers.figure(request, collection, FIGURES[name](shown), f"{slug}-{name}", format)
    if name in OF_DETAILS:
        return _of_details(request, shown, form, name, format)
    return answers.table(TABLES[name](shown), f"{slug}-{name}", format)


def _of_details(request: SignedInRequest, shown: Shown, form: AgreementForm, name: str, format: str) -> HttpResponse:
    """A table of what the background computes; a sentence (202) while it does."""
    known = found.details(shown, request.user, timezone.now())
    if known.value is None:
        words = "This table is being computed in the background. Ask again in a moment.\n"
        return HttpResponse(words, status=202, content_type="text/plain; charset=utf-8")
    told = OF_DETAILS[name](shown, known.value, form.cleaned_data["over"])
    return answers.table(told, f"{shown.collection.slug}-{name}", format)


@require_safe
@signed_in
def of_all(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The matrix of all raters, as a table or a figure."""
    collection = access.researched_or_404(request.user, slug)
    matrix = agreement_matrix.of(collection)
    if format in answers.DRAWINGS:
        return answers.figure(request, collection, figures.matrix(matrix.rows), f"{slug}-matrix", format)
    return answers.table(matrix_rows.table(matrix), f"{slug}-matrix", format)
