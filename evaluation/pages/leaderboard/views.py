"""The pages of the leaderboard: all systems, one topic by topic, what another rule changes; and downloads."""

from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotate.exports import queries as exports_queries
from annotate.grades import model_raters, ratings
from annotate.models import Collection, Guidelines
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.findings import run_indexes
from evaluation.findings.finding import KnownFinding
from evaluation.findings.leaderboard import scores
from evaluation.findings.leaderboard.comparisons import Changes, ChangesQuestion, Comparison, compare_rules
from evaluation.findings.leaderboard.scores import TOP, Leaderboard, TopicScore
from evaluation.inputs import choices, raters
from evaluation.pages.leaderboard import figures, tables
from evaluation.pages.leaderboard.forms import LeaderboardForm, SystemForm
from evaluation.pages.leaderboard.tables import Board, ChangeTables
from evaluation.tables.table import DataTable, Table

MOST_CHANGED = 15


@web.research_page
def show_leaderboard(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Systems under a rule, and beside another; the address says all of it."""
    form = LeaderboardForm(collection, request.GET.dict())
    context = {"collection": collection, "form": form, "draw": ratings.hole_draw_in_force(collection)}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/leaderboard.html", context, status=422)
    if waiting := _indexing_context(request, collection, form):
        return render(request, "evaluation/leaderboard/leaderboard.html", context | waiting)
    shown, models = _load_board(collection, form), _named_models(form)
    context |= {
        "measure": form.cleaned_data["measure"],
        "sources": partial(exports_queries.count_sources_in_words, collection),
        "warned": model_raters.list_warned(collection, models) if models else [],
        "relatives": raters.find_relatives(collection, models) if models else [],
        **_board_context(shown, form),
    }
    if shown.comparison and shown.board.topics and shown.board.systems:
        context |= {"chart": figures.draw_bump_chart(shown.comparison), **_changes_context(request, collection, form)}
    return render(request, "evaluation/leaderboard/leaderboard.html", context)


@web.research_page
def show_changes(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The fragment that asks for itself until the differences between systems are computed."""
    form = web.valid_form(LeaderboardForm(collection, request.GET.dict()))
    if not form.cleaned_data["other"]:
        raise web.NoFile(web.NOTHING_ASKED, 422)
    context = {"collection": collection, "form": form, **_rule_words(form)}
    return render(
        request, "evaluation/leaderboard/_changes.html", context | _changes_context(request, collection, form)
    )


def _ask_changes(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> KnownFinding[Changes]:
    """What is known of the differences between systems under the two rules of a valid form."""
    asked = form.cleaned_data
    rules = (asked["rule"], asked["other"])
    question = ChangesQuestion.between(*rules, str(asked["measure"]), with_probabilities=form.with_probabilities)
    return web.ask_finding(collection, question, request.user)


def _changes_context(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    known = _ask_changes(request, collection, form)
    found = {"change_tables": _change_tables(known.value, form), "most_changed": MOST_CHANGED} if known.value else {}
    return {"changes": known, **found}


def _change_tables(found: Changes, form: LeaderboardForm) -> ChangeTables:
    asked = form.cleaned_data
    return tables.show_changes(found, asked["sort"], str(asked["measure"]), **_rule_words(form))


def _indexing_context(request: SignedInRequest, collection: Collection, form: LeaderboardForm) -> dict[str, object]:
    """What the page says while the runs are indexed; nothing once they are."""
    measure = form.cleaned_data["measure"]
    address, now = request.get_full_path(), timezone.now()
    work = run_indexes.ask_index(collection=collection, measure=measure, address=address, by=request.user, now=now)
    return {"measure": measure, "indexing": KnownFinding(None, False, None, work)} if work else {}


def _load_board(collection: Collection, form: LeaderboardForm) -> Board:
    """The leaderboard that a valid form asks for."""
    board, comparison = _rank_boards(collection, form)
    return Board(board, comparison, form.cleaned_data["find"], form.cleaned_data["sort"])


def _rank_boards(collection: Collection, form: LeaderboardForm) -> tuple[Leaderboard, Comparison | None]:
    """The leaderboard under the first rule, on the topics of both where another stands beside."""
    asked = form.cleaned_data
    name = str(asked["measure"])
    counting = {"with_probabilities": form.with_probabilities, "with_ranges": form.with_ranges}
    if asked["other"]:
        comparison = compare_rules(collection, asked["rule"], asked["other"], name, **counting)
        return comparison.reference, comparison
    return scores.compute_leaderboard(collection, asked["rule"], [name], **counting), None


def _board_context(shown: Board, form: LeaderboardForm) -> dict[str, object]:
    return {
        "shown": shown,
        "board": shown.board,
        "comparison": shown.comparison,
        "without_relevant": shown.board.without_relevant.get(shown.measure, 0),
        "is_by_chances": form.with_probabilities,
        **_rule_words(form),
    }


def _named_models(form: LeaderboardForm) -> set[str]:
    """The names of the model raters in either rule."""
    rules = [form.cleaned_data["rule"], form.cleaned_data["other"]]
    return {name for rule in rules if rule for name in rule.models}


def _rule_words(form: LeaderboardForm) -> dict[str, str]:
    rule, other = form.cleaned_data["rule"], form.cleaned_data["other"]
    return {"rule_words": choices.describe_rule(rule), "other_words": choices.describe_rule(other) if other else ""}


@web.research_page
def show_system(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """A system of the leaderboard topic by topic; with `topic` in the address also its ranking there."""
    form = SystemForm(collection, request.GET.dict())
    context = {"collection": collection, "form": form}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/system.html", context, status=422)
    asked = form.cleaned_data
    context |= {
        "topics": _topics_table(collection, form),
        "measure": asked["measure"],
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
        **_rule_words(form),
    }
    if asked["topic"]:
        rules = [asked["rule"], asked["other"]] if asked["other"] else [asked["rule"]]
        context["ranking"] = scores.list_ranking(
            collection, asked["system"], asked["topic"], rules, asked["measure"].cutoff or TOP
        )
    return render(request, "evaluation/leaderboard/system.html", context)


@web.research_page
def download_topics(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The same topics as a table to keep."""
    form = web.valid_form(SystemForm(collection, request.GET.dict()))
    return web.answer_table(_topics_table(collection, form).table, f"{collection.slug}-topics", format)


def _topics_table(collection: Collection, form: SystemForm) -> DataTable[TopicScore]:
    asked, words = form.cleaned_data, _rule_words(form)
    board, comparison = _rank_boards(collection, form)
    try:
        rows = scores.score_topics(collection, asked["system"], board, comparison.other if comparison else None)
    except KeyError:
        raise Http404("The collection has no run of this tag.") from None
    caption = f"{asked['measure']} of {asked['system']} by topic under {words['rule_words']}"
    if asked["other"]:
        caption += f"; B is {words['other_words']}"
    columns = tables.topic_columns(str(asked["measure"]), words["other_words"])
    return DataTable("topics", caption, columns, rows, asked["sort"])


FIGURES = {"means": figures.means_figure, "places": figures.bump_figure}


@web.research_page
def download_systems(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    form = web.valid_form(LeaderboardForm(collection, request.GET.dict()))
    return web.answer_table(_load_board(collection, form).systems.table, f"{collection.slug}-systems", format)


@web.research_page
def download_places(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The data of the figure of places."""
    form = web.valid_form(LeaderboardForm(collection, request.GET.dict()))
    shown = _load_board(collection, form)
    if shown.comparison is None:
        raise Http404("Places under two rules need two rules.")
    return web.answer_table(tables.places_table(shown.comparison), f"{collection.slug}-places", format)


@web.research_page
def download_changes(request: SignedInRequest, collection: Collection, name: str, format: str) -> HttpResponse:
    """A table of what another rule changes; 404 while that is not computed."""
    if name not in ("correlations", "classes", "pairs"):
        raise Http404("There is no such file of the leaderboard.")
    form = web.valid_form(LeaderboardForm(collection, request.GET.dict()))
    known = _ask_changes(request, collection, form) if form.cleaned_data["other"] else None
    if known is None or known.value is None:
        raise Http404("The differences between the systems are not computed yet.")
    found: Table = getattr(_change_tables(known.value, form), name).table
    return web.answer_table(found, f"{collection.slug}-{name}", format)


@web.research_page
def download_figure(request: SignedInRequest, collection: Collection, name: str, format: str) -> HttpResponse:
    form = web.valid_form(LeaderboardForm(collection, request.GET.dict()))
    drawn = FIGURES[name](_load_board(collection, form)) if name in FIGURES else None
    if drawn is None or not drawn.rows:
        raise Http404("There is no such figure of this leaderboard.")
    return web.answer_figure(request, collection, drawn, f"{collection.slug}-{name}", format)
