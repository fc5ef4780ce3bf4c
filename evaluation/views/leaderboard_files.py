"""The downloads of the leaderboard. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotate import access
from annotate.views.signed_in import signed_in
from evaluation.forms import LeaderboardForm
from evaluation.queries import rule_choices
from evaluation.views import answers, change_rows, leaderboard, leaderboard_figures, leaderboard_tables, system_rows

CHANGES = {
    "pairs": leaderboard_tables.pairs,
    "classes": leaderboard_tables.classes,
    "correlations": leaderboard_tables.correlations,
}
FIGURES = {"means": leaderboard_figures.means, "places": leaderboard_figures.bump}


@require_safe
@signed_in
def systems(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    return answers.table(leaderboard_tables.systems(system_rows.load(collection, form)), f"{slug}-systems", format)


@require_safe
@signed_in
def places(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """The data of the figure of places."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    shown = system_rows.load(collection, form)
    if shown.comparison is None:
        raise Http404("Places under two rules need two rules.")
    return answers.table(leaderboard_tables.places(shown.comparison), f"{slug}-places", format)


@require_safe
@signed_in
def changes(request: HttpRequest, slug: str, name: str, format: str) -> HttpResponse:
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
def figure(request: HttpRequest, slug: str, name: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    drawn = FIGURES[name](system_rows.load(collection, form)) if name in FIGURES else None
    if drawn is None or not drawn.rows:
        raise Http404("There is no such figure of this leaderboard.")
    return answers.figure(request, collection, drawn, f"{slug}-{name}", format)
