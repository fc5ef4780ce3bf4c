from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.exports.queries import provenance
from annotate.grades import hole_draw_preview, own_judges
from annotate.models import Collection
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import workers
from evaluation.findings import finding, indexing
from evaluation.findings.finding import Known
from evaluation.inputs import questions, relatives, rule_choices
from evaluation.pages.leaderboard.forms import CHANGE_COLUMNS, SYSTEM_COLUMNS, LeaderboardForm
from evaluation.pages.leaderboard.views import bump_chart, change_rows, system_rows
from evaluation.pages.leaderboard.views.system_rows import RISING, Board
from evaluation.web import answers, sorting

MOST_CHANGED = 15


@require_safe
@signed_in
def leaderboard(request: SignedInRequest, slug: str) -> HttpResponse:
    """Systems under a rule, and beside another; the address says all of it."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    told = {"collection": collection, "form": form, "draw": hole_draw_preview.in_force(collection)}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/leaderboard.html", told, status=422)
    if waiting := _indexing(request, collection, form):
        return render(request, "evaluation/leaderboard/leaderboard.html", told | waiting)
    shown = system_rows.load(collection, form)
    told |= {
        "measure": form.cleaned_data["measure"],
        "known": provenance.counts_in_words(collection),
        "warned": own_judges.warned(collection, _models(form)),
        "relatives": relatives.of(collection, _models(form)),
        "heads": sorting.heads(form.cleaned_data["sort"], SYSTEM_COLUMNS, RISING),
        **_about(shown, form),
    }
    if shown.comparison and shown.board.topics and shown.board.systems:
        told |= {"chart": bump_chart.draw(shown.comparison), **_changes(request, collection, form)}
    return render(request, "evaluation/leaderboard/leaderboard.html", told)


@require_safe
@signed_in
def changes(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself until the differences between systems are computed."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid() or not form.cleaned_data["other"]:
        return answers.refusal(form)
    told = {"collection": collection, "form": form, **_words(form), **_changes(request, collection, form)}
    return render(request, "evaluation/leaderboard/_changes.html", told)


def known_changes(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> Known:
    """What is known of the differences between systems under the two rules of a valid form."""
    said = form.cleaned_data
    measure = str(said["measure"])
    question = questions.comparison(said["rule"], said["other"], measure, with_chances=form.with_chances)
    return finding.ask(collection=collection, question=question, by=request.user, now=timezone.now())


def _changes(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    known, sort = known_changes(request, collection, form), form.cleaned_data["sort"]
    told: dict[str, object] = {"changes": known, "is_worker_silent": workers.is_silent(collection, timezone.now())}
    if known.value:
        rows = change_rows.of(known.value, sort)
        told |= {"rows_of": rows, "changed": rows.changed[:MOST_CHANGED]}
        told["change_heads"] = sorting.heads(sort, CHANGE_COLUMNS, change_rows.RISING)
    return told


def _indexing(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    """What the page says while the runs are indexed; nothing once they are."""
    now = timezone.now()
    work = indexing.ask(
        collection=collection,
        measure=form.cleaned_data["measure"],
        address=request.get_full_path(),
        by=request.user,
        now=now,
    )
    if work is None:
        return {}
    measure = form.cleaned_data["measure"]
    return {
        "measure": measure,
        "indexing": Known(None, False, None, work),
        "is_worker_silent": workers.is_silent(collection, now),
    }


def _about(shown: Board, form: LeaderboardForm) -> dict[str, object]:
    told = {
        "shown": shown,
        "board": shown.board,
        "comparison": shown.comparison,
        "rows": shown.rows,
        "rule_words": rule_choices.words(shown.board.rule),
        "without_relevant": shown.board.without_relevant.get(shown.measure, 0),
        "has_range": shown.holes is not None,
        "is_by_chances": form.with_chances,
        "has_groups": any(system.group for system in shown.board.systems),
    }
    if shown.comparison:
        told["other_words"] = rule_choices.words(shown.comparison.other.rule)
    return told


def _models(form: LeaderboardForm) -> set[str]:
    """The names of the model raters in either rule."""
    rules = [form.cleaned_data["rule"], form.cleaned_data["other"]]
    return {name for rule in rules if rule for name in rule.models}


def _words(form: LeaderboardForm) -> dict[str, str]:
    said = form.cleaned_data
    return {"rule_words": rule_choices.words(said["rule"]), "other_words": rule_choices.words(said["other"])}
