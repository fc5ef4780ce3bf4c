from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import Collection, Guidelines
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from evaluation.findings.leaderboard import topics as leaderboard_topics
from evaluation.findings.leaderboard.scores import TOP
from evaluation.findings.leaderboard.topics import TopicScore
from evaluation.inputs import rule_choices
from evaluation.pages.leaderboard.forms import TOPIC_COLUMNS, SystemForm
from evaluation.pages.leaderboard.views import system_rows
from evaluation.tables.table import Table
from evaluation.web import answers, sorting

VALUES: dict[str, Callable[[TopicScore], Any]] = {
    "topic": lambda row: row.query_id,
    "value": lambda row: row.value,
    "median": lambda row: row.median,
    "other_value": lambda row: row.other_value,
    "difference": lambda row: row.difference,
}


@require_safe
@signed_in
def system(request: SignedInRequest, slug: str) -> HttpResponse:
    """A system of the leaderboard topic by topic; with `topic` in the address also its ranking there."""
    collection = access.researched_or_404(request.user, slug)
    form = SystemForm(collection, request.GET.dict())
    told = {"collection": collection, "form": form}
    if not form.is_valid():
        return render(request, "evaluation/leaderboard/system.html", told, status=422)
    said = form.cleaned_data
    told |= {
        "rows": _rows(collection, form),
        "heads": sorting.heads(said["sort"], TOPIC_COLUMNS, ["topic"]),
        "measure": said["measure"],
        "rule_words": rule_choices.words(said["rule"]),
        "other_words": rule_choices.words(said["other"]) if said["other"] else "",
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if said["topic"]:
        rules = [said["rule"], said["other"]] if said["other"] else [said["rule"]]
        told["ranking"] = leaderboard_topics.ranking(
            collection, said["system"], said["topic"], rules, said["measure"].cutoff or TOP
        )
    return render(request, "evaluation/leaderboard/system.html", told)


@require_safe
@signed_in
def topics(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The same topics as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    form = SystemForm(collection, request.GET.dict())
    if not form.is_valid():
        return answers.refusal(form)
    said = form.cleaned_data
    columns = ("topic", "text", str(said["measure"]), "median of all systems", "under B", "difference")
    caption = f"{said['measure']} of {said['system']} by topic under {rule_choices.words(said['rule'])}"
    if said["other"]:
        caption += f"; B is {rule_choices.words(said['other'])}"
    rows = tuple(
        (row.query_id, row.text, row.value, row.median, row.other_value, row.difference)
        for row in _rows(collection, form)
    )
    return answers.table(Table(caption, columns, rows), f"{slug}-topics", format)


def _rows(collection: Collection, form: SystemForm) -> list[TopicScore]:
    said = form.cleaned_data
    board, comparison = system_rows.boards(collection, form)
    try:
        rows = leaderboard_topics.by_topic(collection, said["system"], board, comparison.other if comparison else None)
    except KeyError:
        raise Http404("The collection has no run of this tag.") from None
    return sorting.sort(rows, said["sort"], VALUES)
