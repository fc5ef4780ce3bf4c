"""Whether the probabilities of Lacuna's own judge mean what they say: a page for each of its versions."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.grades import own_judges
from annotate.models import Collection, Rater
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.findings import calibration
from evaluation.pages.calibration.forms import CalibrationForm
from evaluation.pages.calibration.views import shown
from evaluation.web import answers

TABLES = {"bins": shown.bins, "figures": shown.figures}
FIGURE = "reliability"


@require_safe
@signed_in
def page(request: SignedInRequest, slug: str) -> HttpResponse:
    """The version that the address names, else the newest."""
    collection = access.researched_or_404(request.user, slug)
    form, version = _asked(request, collection)
    told: dict[str, object] = {"collection": collection, "form": form, "version": version}
    if version and (found := calibration.of(version)):
        told |= {"found": found, "diagram": shown.diagram(found)}
    is_wrong = version is None and "rater" in request.GET
    return render(request, "evaluation/calibration/calibration.html", told, status=422 if is_wrong else 200)


@require_safe
@signed_in
def file(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table or the figure of a version, to keep."""
    collection = access.researched_or_404(request.user, slug)
    form, version = _asked(request, collection)
    if version is None:
        return answers.refusal(form)
    found = calibration.of(version)
    if found is None:
        raise Http404(f"{version.name} has no calibration to show.")
    if name == FIGURE and format in answers.DRAWINGS:
        drawn = shown.figure(found, version.name)
        return answers.figure(request, collection, drawn, f"{slug}-{version.name}-{name}", format)
    if name not in TABLES:
        raise Http404("There is no such file of calibration.")
    return answers.table(TABLES[name](found, version.name), f"{slug}-{version.name}-{name}", format)


def _asked(request: SignedInRequest, collection: Collection) -> tuple[CalibrationForm, Rater | None]:
    versions = list(own_judges.versions(collection))
    form = CalibrationForm(versions, request.GET.dict())
    if not form.is_valid():
        return form, None
    return form, next(version for version in versions if version.name == form.cleaned_data["rater"])
