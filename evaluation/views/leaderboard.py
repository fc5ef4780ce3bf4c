from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate import access
from annotate.queries import hole_draw_preview, provenance
from annotate.views.signed_in import signed_in
from evaluation.forms import LeaderboardForm
from evaluation.queries import comparisons, rule_choices, scores
from evaluation.queries.comparisons import Comparison
from evaluation.queries.scores import Leaderboard, SystemScores
from evaluation.scoring import MeasureScores
from evaluation.views import bump_chart


@dataclass(frozen=True)
class Row:
    """A line of the table: a system, and where it stands under the other rule."""

    system: SystemScores
    scores: MeasureScores
    other: SystemScores | None = None
    other_scores: MeasureScores | None = None

    @property
    def places_up(self) -> int:
        """How many places higher it stands under the other rule; below 0 it fell."""
        if self.other is None or self.other.place is None or self.system.place is None:
            return 0
        return self.system.place - self.other.place

    @property
    def places_down(self) -> int:
        return -self.places_up


@require_safe
@signed_in
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Systems under a rule, and beside another; the address says all of it."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    told = {"collection": collection, "form": form, "draw": hole_draw_preview.in_force(collection)}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard.html", told, status=422)
    said = form.cleaned_data
    if said["other"]:
        found = comparisons.compare(collection, said["rule"], said["other"], str(said["measure"]))
        told |= _beside(found)
    else:
        told |= _alone(scores.leaderboard(collection, said["rule"], [str(said["measure"])]))
    told |= {"measure": said["measure"], "known": provenance.counts_in_words(collection)}
    return render(request, "evaluation/leaderboard.html", told)


def _alone(board: Leaderboard) -> dict[str, object]:
    rows = [Row(system, system.by_measure[board.measures[0]]) for system in board.systems]
    return {"board": board, "rows": rows, **_about(board)}


def _beside(comparison: Comparison) -> dict[str, object]:
    others = {system.run_tag: system for system in comparison.other.systems}
    name = comparison.measure
    rows = [
        Row(system, system.by_measure[name], others[system.run_tag], others[system.run_tag].by_measure[name])
        for system in comparison.reference.systems
    ]
    return {
        "board": comparison.reference,
        "comparison": comparison,
        "rows": rows,
        "chart": bump_chart.draw(comparison),
        "other_words": rule_choices.words(comparison.other.rule),
        **_about(comparison.reference),
    }


def _about(board: Leaderboard) -> dict[str, object]:
    return {
        "rule_words": rule_choices.words(board.rule),
        "without_relevant": board.without_relevant.get(board.measures[0], 0),
        "has_groups": any(system.group for system in board.systems),
    }
