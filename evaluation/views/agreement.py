from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate import access
from annotate.models import Guidelines
from annotate.views.signed_in import signed_in
from evaluation.forms import AgreementForm
from evaluation.queries import agreement as agreements
from evaluation.queries import agreement_matrix, raters
from evaluation.views import confusion_heat


@require_safe
@signed_in
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """All raters against one another, and with `first` and `second` in the address these two in detail."""
    collection = access.researched_or_404(request.user, slug)
    form = AgreementForm(raters.listed(collection), request.GET.dict())
    told = {
        "collection": collection,
        "form": form,
        "matrix": agreement_matrix.of(collection),
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if form.is_valid():
        try:
            found = agreements.agreement(collection, form.cleaned_data["first"], form.cleaned_data["second"])
        except (raters.NoSuchRater, agreements.NotComparable) as reason:
            form.add_error(None, str(reason))
        else:
            told |= {"found": found, "heat": confusion_heat.rows(found.figures.confusion, collection.scale)}
    return render(request, "evaluation/agreement.html", told, status=422 if form.errors else 200)
