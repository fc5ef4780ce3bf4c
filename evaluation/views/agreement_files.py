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

MATRIX = "matrix"


@require_safe
@signed_in
def file(request: HttpRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or figure of two raters, or of all where `name` is matrix."""
    collection = access.researched_or_404(request.user, slug)
    kept = f"{slug}-{name}"
    is_figure = format in answers.DRAWINGS
    if name == MATRIX:
        rows = agreement_matrix.of(collection)
        if is_figure:
            return answers.figure(agreement_figures.matrix(rows), kept, format)
        return answers.table(matrix_table.of(rows), kept, format)
    parts = FIGURES if is_figure else TABLES
    if name not in parts:
        raise Http404("There is no such file of agreement.")
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    try:
        shown = agreement_shown.load(collection, form.cleaned_data) if form.is_valid() else None
    except agreement_shown.REFUSALS as reason:
        form.add_error(None, str(reason))
        shown = None
    if shown is None:
        return answers.refusal(form)
    return (
        answers.figure(FIGURES[name](shown), kept, format)
        if is_figure
        else answers.table(TABLES[name](shown), kept, format)
    )
