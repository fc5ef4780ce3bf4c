"""The downloads of the leaderboard. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.inputs import rule_choices
from evaluation.pages.leaderboard.forms import LeaderboardForm
from evaluation.pages.leaderboard.views import change_rows, figures, leaderboard, system_rows, tables
from evaluation.web import answers

CHANGES = {
    "pairs": tables.pairs,
    "classes": tables.classes,
    "correlations": tables.correlations,
}
FIGURES = {"means": figures.means, "places": figures.bump}


@require_safe
@signed_in
def systems(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    return answers.table(tables.systems(system_rows.load(collection, form)), f"{slug}-systems", format)


@require_safe
@signed_in
def places(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The data of the figure of places."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    shown = system_rows.load(collection, form)
    if shown.comparison is None:
        raise Http404("Places under two rules need two rules.")
    return answers.table(tables.places(shown.comparison), f"{slug}-places", format)


@require_safe
@signed_in
def changes(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table of what another rule changes; 404 while that is not computed."""
    collection = access.researched_or_404(request.user, slug)
    if name not in CHANGES:
        raise Http404("There is no such file of the leaderboard.")
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    said = form.cleaned_data
    known = leaderboard.known_changes(request, collection, form) if said["other"] else None
    if known is None or known.value is None:
        raise Http404("The differences between the systems are not computed yet.")
    words = f"by {said['measure']} from {rule_choices.words(said['rule'])} to {rule_choices.words(said['other'])} (B)"
    told = CHANGES[name](change_rows.of(known.value, said["sort"]), words)
    return answers.table(told, f"{slug}-{name}", format)


@require_safe
@signed_in
def figure(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    drawn = FIGURES[name](system_rows.load(collection, form)) if name in FIGURES else None
    if drawn is None or not drawn.rows:
        raise Http404("There is no such figure of this leaderboard.")
    return answers.figure(request, collection, drawn, f"{slug}-{name}", format)
