"""The pages of the leaderboard: all systems, one topic by topic, what another rule changes; and downloads."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.exports import queries as exports_queries
from annotate.grades import holes, model_raters
from annotate.models import Collection, Guidelines
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation import web
from evaluation.findings import finding, run_indexes
from evaluation.findings.finding import KnownFinding
from evaluation.findings.leaderboard import topics as leaderboard_topics
from evaluation.findings.leaderboard.scores import TOP
from evaluation.findings.leaderboard.topics import TopicScore
from evaluation.inputs import choices, questions, raters
from evaluation.pages.leaderboard import figures, tables
from evaluation.pages.leaderboard.forms import (
    CHANGE_COLUMNS,
    SYSTEM_COLUMNS,
    TOPIC_COLUMNS,
    LeaderboardForm,
    SystemForm,
)
from evaluation.pages.leaderboard.tables import RISING_SYSTEMS, Board
from evaluation.tables import table
from evaluation.tables.table import Table

MOST_CHANGED = 15


@require_safe
@signed_in
def show_leaderboard(request: SignedInRequest, slug: str) -> HttpResponse:
    """Systems under a rule, and beside another; the address says all of it."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    told = {"collection": collection, "form": form, "draw": holes.hole_draw_in_force(collection)}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/leaderboard.html", told, status=422)
    if waiting := _indexing_context(request, collection, form):
        return render(request, "evaluation/leaderboard/leaderboard.html", told | waiting)
    shown = tables.load_board(collection, form)
    told |= {
        "measure": form.cleaned_data["measure"],
        "known": exports_queries.count_sources_in_words(collection),
        "warned": model_raters.list_warned(collection, _named_models(form)),
        "relatives": raters.find_relatives(collection, _named_models(form)),
        "heads": table.sort_heads(form.cleaned_data["sort"], SYSTEM_COLUMNS, RISING_SYSTEMS),
        **_board_context(shown, form),
    }
    if shown.comparison and shown.board.topics and shown.board.systems:
        told |= {"chart": figures.draw_bump_chart(shown.comparison), **_changes_context(request, collection, form)}
    return render(request, "evaluation/leaderboard/leaderboard.html", told)


@require_safe
@signed_in
def show_changes(request: SignedInRequest, slug: str) -> HttpResponse:
    """The fragment that asks for itself until the differences between systems are computed."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid() or not form.cleaned_data["other"]:
        return web.refuse_form(form)
    told = {"collection": collection, "form": form, **_rule_words(form), **_changes_context(request, collection, form)}
    return render(request, "evaluation/leaderboard/_changes.html", told)


def ask_changes(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> KnownFinding:
    """What is known of the differences between systems under the two rules of a valid form."""
    said = form.cleaned_data
    measure = str(said["measure"])
    question = questions.comparison(said["rule"], said["other"], measure, with_chances=form.with_chances)
    return finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())


def _changes_context(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    known, sort = ask_changes(request, collection, form), form.cleaned_data["sort"]
    told: dict[str, object] = {
        "changes": known,
        "is_worker_silent": progress.is_worker_silent(collection, timezone.now()),
    }
    if known.value:
        rows = tables.read_changes(known.value, sort)
        told |= {"rows_of": rows, "changed": rows.changed[:MOST_CHANGED]}
        told["change_heads"] = table.sort_heads(sort, CHANGE_COLUMNS, tables.RISING_CHANGES)
    return told


def _indexing_context(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    """What the page says while the runs are indexed; nothing once they are."""
    now = timezone.now()
    work = run_indexes.ask_index(
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
        "indexing": KnownFinding(None, False, None, work),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }


def _board_context(shown: Board, form: LeaderboardForm) -> dict[str, object]:
    told = {
        "shown": shown,
        "board": shown.board,
        "comparison": shown.comparison,
        "rows": shown.rows,
        "rule_words": choices.describe_rule(shown.board.rule),
        "without_relevant": shown.board.without_relevant.get(shown.measure, 0),
        "has_range": shown.holes is not None,
        "is_by_chances": form.with_chances,
        "has_groups": any(system.group for system in shown.board.systems),
    }
    if shown.comparison:
        told["other_words"] = choices.describe_rule(shown.comparison.other.rule)
    return told


def _named_models(form: LeaderboardForm) -> set[str]:
    """The names of the model raters in either rule."""
    rules = [form.cleaned_data["rule"], form.cleaned_data["other"]]
    return {name for rule in rules if rule for name in rule.models}


def _rule_words(form: LeaderboardForm) -> dict[str, str]:
    said = form.cleaned_data
    return {"rule_words": choices.describe_rule(said["rule"]), "other_words": choices.describe_rule(said["other"])}


TOPIC_VALUES: dict[str, Callable[[TopicScore], Any]] = {
    "topic": lambda row: row.query_id,
    "value": lambda row: row.value,
    "median": lambda row: row.median,
    "other_value": lambda row: row.other_value,
    "difference": lambda row: row.difference,
}


@require_safe
@signed_in
def show_system(request: SignedInRequest, slug: str) -> HttpResponse:
    """A system of the leaderboard topic by topic; with `topic` in the address also its ranking there."""
    collection = access.researched_or_404(request.user, slug)
    form = SystemForm(collection, request.GET.dict())
    told = {"collection": collection, "form": form}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/system.html", told, status=422)
    said = form.cleaned_data
    told |= {
        "rows": _topic_rows(collection, form),
        "heads": table.sort_heads(said["sort"], TOPIC_COLUMNS, ["topic"]),
        "measure": said["measure"],
        "rule_words": choices.describe_rule(said["rule"]),
        "other_words": choices.describe_rule(said["other"]) if said["other"] else "",
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if said["topic"]:
        rules = [said["rule"], said["other"]] if said["other"] else [said["rule"]]
        told["ranking"] = leaderboard_topics.list_ranking(
            collection, said["system"], said["topic"], rules, said["measure"].cutoff or TOP
        )
    return render(request, "evaluation/leaderboard/system.html", told)


@require_safe
@signed_in
def download_topics(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The same topics as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    form = SystemForm(collection, request.GET.dict())
    if not form.is_valid():
        return web.refuse_form(form)
    said = form.cleaned_data
    columns = ("topic", "text", str(said["measure"]), "median of all systems", "under B", "difference")
    caption = f"{said['measure']} of {said['system']} by topic under {choices.describe_rule(said['rule'])}"
    if said["other"]:
        caption += f"; B is {choices.describe_rule(said['other'])}"
    rows = tuple(
        (row.query_id, row.text, row.value, row.median, row.other_value, row.difference)
        for row in _topic_rows(collection, form)
    )
    return web.answer_table(Table(caption, columns, rows), f"{slug}-topics", format)


def _topic_rows(collection: Collection, form: SystemForm) -> list[TopicScore]:
    said = form.cleaned_data
    board, comparison = tables.rank_boards(collection, form)
    try:
        rows = leaderboard_topics.score_topics(
            collection, said["system"], board, comparison.other if comparison else None
        )
    except KeyError:
        raise Http404("The collection has no run of this tag.") from None
    return table.sort_rows(rows, said["sort"], TOPIC_VALUES)


CHANGE_TABLES = {
    "pairs": tables.pairs_table,
    "classes": tables.classes_table,
    "correlations": tables.correlations_table,
}
FIGURES = {"means": figures.means_figure, "places": figures.bump_figure}


@require_safe
@signed_in
def download_systems(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return web.refuse_form(form)
    return web.answer_table(tables.systems_table(tables.load_board(collection, form)), f"{slug}-systems", format)


@require_safe
@signed_in
def download_places(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The data of the figure of places."""
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return web.refuse_form(form)
    shown = tables.load_board(collection, form)
    if shown.comparison is None:
        raise Http404("Places under two rules need two rules.")
    return web.answer_table(tables.places_table(shown.comparison), f"{slug}-places", format)


@require_safe
@signed_in
def download_changes(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    """A table of what another rule changes; 404 while that is not computed."""
    collection = access.researched_or_404(request.user, slug)
    if name not in CHANGE_TABLES:
        raise Http404("There is no such file of the leaderboard.")
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return web.refuse_form(form)
    said = form.cleaned_data
    known = ask_changes(request, collection, form) if said["other"] else None
    if known is None or known.value is None:
        raise Http404("The differences between the systems are not computed yet.")
    words = (
        f"by {said['measure']} from {choices.describe_rule(said['rule'])} to {choices.describe_rule(said['other'])} (B)"
    )
    told = CHANGE_TABLES[name](tables.read_changes(known.value, said["sort"]), words)
    return web.answer_table(told, f"{slug}-{name}", format)


@require_safe
@signed_in
def download_figure(request: SignedInRequest, slug: str, name: str, format: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = LeaderboardForm(collection, request.GET.dict())
    if not form.is_valid():
        return web.refuse_form(form)
    drawn = FIGURES[name](tables.load_board(collection, form)) if name in FIGURES else None
    if drawn is None or not drawn.rows:
        raise Http404("There is no such figure of this leaderboard.")
    return web.answer_figure(request, collection, drawn, f"{slug}-{name}", format)
