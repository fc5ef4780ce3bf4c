"""The downloads of agreement. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate import access
from annotate.views.signed_in import signed_in
from evaluation.forms import AgreementForm
from evaluation.queries import agreement_matrix, raters
from evaluation.views import agreement_figures, agreement_found, agreement_shown, answers, matrix_rows
from evaluation.views.agreement_figures import FIGURES
from evaluation.views.agreement_shown import Shown
from evaluation.views.agreement_tables import OF_DETAILS, TABLES


@require_safe
@signed_in
def of_two(request: HttpRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or figure of the two raters in the address."""
    collection = access.researched_or_404(request.user, slug)
    is_figure = format in answers.DRAWINGS
    if name not in (FIGURES if is_figure else {*TABLES, *OF_DETAILS}):
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    shown = agreement_shown.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    if is_figure:
        return answers.figure(request, collection, FIGURES[name](shown), f"{slug}-{name}", format)
    if name in OF_DETAILS:
        return _of_details(request, shown, form, name, format)
    return answers.table(TABLES[name](shown), f"{slug}-{name}", format)


def _of_details(request: HttpRequest, shown: Shown, form: AgreementForm, name: str, format: str) -> HttpResponse:
    """A table of what the background computes; a sentence (202) while it does."""
    known = agreement_found.details(shown, request.user, timezone.now())
    if known.value is None:
        words = "This table is being computed in the background. Ask again in a moment.\n"
        return HttpResponse(words, status=202, content_type="text/plain; charset=utf-8")
    told = OF_DETAILS[name](shown, known.value, form.cleaned_data["over"])
    return answers.table(told, f"{shown.collection.slug}-{name}", format)


@require_safe
@signed_in
def of_all(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """The matrix of all raters, as a table or a figure."""
    collection = access.researched_or_404(request.user, slug)
    matrix = agreement_matrix.of(collection)
    if format in answers.DRAWINGS:
        return answers.figure(request, collection, agreement_figures.matrix(matrix.rows), f"{slug}-matrix", format)
    return answers.table(matrix_rows.table(matrix), f"{slug}-matrix", format)
