"""The downloads of the leaderboard. Their addresses are its own, with the name of a file behind."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotate import access
from annotate.views.signed_in import signed_in
from evaluation.forms import LeaderboardForm
from evaluation.queries import rule_choices
from evaluation.views import answers, leaderboard, leaderboard_figures, leaderboard_tables, system_rows

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
def pairs(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """The pairs of systems that changed; 404 while they are not computed."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    said = form.cleaned_data
    known = leaderboard.known_changes(request, collection, form) if said["other"] else None
    if known is None or known.value is None:
        raise Http404("The differences between the systems are not computed yet.")
    a, b = rule_choices.words(said["rule"]), rule_choices.words(said["other"])
    caption = f"Pairs of systems whose significance by {said['measure']} changes from {a} to {b} (B), Tukey HSD"
    return answers.table(leaderboard_tables.pairs(known.value, caption), f"{slug}-pairs", format)


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
    return answers.figure(drawn, f"{slug}-{name}", format)
