"""The downloads of agreement. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotate import access
from annotate.views.signed_in import signed_in
from evaluation.forms import AgreementForm
from evaluation.queries import agreement_matrix, raters
from evaluation.views import agreement_figures, agreement_shown, answers, matrix_table
from evaluation.views.agreement_figures import FIGURES
from evaluation.views.agreement_tables import TABLES


@require_safe
@signed_in
def of_two(request: HttpRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or figure of the two raters in the address."""
    collection = access.researched_or_404(request.user, slug)
    is_figure = format in answers.DRAWINGS
    if name not in (FIGURES if is_figure else TABLES):
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    shown = agreement_shown.asked(collection, form)
    if shown is None:
        return answers.refusal(form)
    if is_figure:
        return answers.figure(FIGURES[name](shown), f"{slug}-{name}", format)
    return answers.table(TABLES[name](shown), f"{slug}-{name}", format)


@require_safe
@signed_in
def of_all(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """The matrix of all raters, as a table or a figure."""
    collection = access.researched_or_404(request.user, slug)
    rows = agreement_matrix.of(collection)
    if format in answers.DRAWINGS:
        return answers.figure(agreement_figures.matrix(rows), f"{slug}-matrix", format)
    return answers.table(matrix_table.of(rows), f"{slug}-matrix", format)
