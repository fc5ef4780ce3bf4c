"""The influence of each hole on the ranking: page, table, API."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.models import Collection
from annotate.web import api as web_api
from annotate.web.access import SignedInRequest, researched_or_404, signed_in
from annotate.web.views import set_choices
from annotate.work import progress
from evaluation import web
from evaluation.findings import influence
from evaluation.findings.influence import HoleRank, InfluenceJson, InfluentialHole
from evaluation.inputs import choices
from evaluation.tables.table import Column, DataTable, text_column
from evaluation.templatetags.findings import number_cell


@dataclass(frozen=True)
class HoleRow:
    """`place` in the order, from 1."""

    place: int
    hole: InfluentialHole


def influence_table(found: InfluenceJson) -> DataTable[HoleRow]:
    caption = (
        f"Holes by their influence on the differences between {found['systems']} systems in mean {found['measure']} "
        f"over {found['topics']} topics, under {found['rule']}"
    )
    rows = [HoleRow(place, hole) for place, hole in enumerate(found["top"], start=1)]
    return DataTable("holes", caption, _columns(found["weights"]), rows, places=6)


def _columns(weights: str) -> list[Column[HoleRow]]:
    passage, systems = (f"evaluation/influence/_{name}.html" for name in ("passage", "systems"))
    expected, label = ("Expected", f"expected by {weights}") if weights else ("", "")
    return [
        Column("", "Place", "place", lambda row: row.place),
        text_column("", "Topic", "topic", lambda row: row.hole["query_id"], is_row_head=True),
        text_column("", "Passage", "passage", lambda row: row.hole["passage_id"], passage),
        Column("", expected, label, lambda row: row.hole["value"], number_cell(5)),
        Column("", "Influence", "influence", lambda row: row.hole["influence"], number_cell(5)),
        Column("", "Through the ideal", "through the ideal", lambda row: row.hole["through_ideal"], number_cell(5)),
        text_column(
            *("", "Systems that have it, by rank", "systems by rank", lambda row: _systems(row.hole["ranks"]), systems),
            css="small",
        ),
    ]


def _systems(ranks: Sequence[HoleRank]) -> str:
    """
    >>> _systems([{"rank": 1, "systems": ["bm25", "dense"]}, {"rank": 4, "systems": ["rm3"]}])
    '1: bm25, dense; 4: rm3'
    """
    return "; ".join(f"{at['rank']}: {', '.join(at['systems'])}" for at in ranks)


class InfluenceForm(forms.Form):
    """Whether a model's probabilities weight the influence of holes."""

    weights = forms.ChoiceField(
        label="Weighted by",
        required=False,
        help_text="A model's probabilities make it the expected change. Its order then tells assessors what the model "
        "thinks, so this is refused where anybody grades blind.",
    )

    def __init__(self, collection: Collection, sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        models = [(name, name) for name in choices.list_models(collection)]
        set_choices(self.fields["weights"], [("", "nothing: every grade is possible"), *models])


@web.research_page
def show_influence(request: SignedInRequest, collection: Collection) -> HttpResponse:
    return _page(request, collection, InfluenceForm(collection))


@require_POST
@signed_in
def compute_influence(request: SignedInRequest, slug: str) -> HttpResponse:
    """Compute it in the background, and with `orders` let holes be judged in its order."""
    collection = researched_or_404(request.user, slug)
    form = InfluenceForm(collection, request.POST)
    if form.is_valid():
        asked = {"weights": form.cleaned_data["weights"], "orders": "orders" in request.POST}
        try:
            influence.request_influence(collection=collection, **asked, by=request.user, now=timezone.now())
        except influence.CannotWeight as reason:
            form.add_error("weights", str(reason))
        else:
            messages.success(request, "It is being computed in the background.")
            return redirect("influence", slug)
    return _page(request, collection, form)


@web.research_page
def download_influence(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The holes that the page shows as a table to keep."""
    known = influence.find_influence(collection)
    if known is None:
        raise web.NoFile("Influence was not computed yet.", 409)
    return web.answer_table(influence_table(known.value).table, f"{collection.slug}-influence", format)


def _page(request: SignedInRequest, collection: Collection, form: InfluenceForm) -> HttpResponse:
    now, known = timezone.now(), influence.find_influence(collection)
    context = {
        "collection": collection,
        "form": form,
        "known": known,
        "table": known and influence_table(known.value),
        "progress": progress.unfinished_progress(collection, influence.KIND, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(request, "evaluation/influence/influence.html", context, status=422 if form.errors else 200)


class HoleRankOutput(serializers.Serializer[object]):
    rank = serializers.IntegerField()
    systems = serializers.ListField(child=serializers.CharField())


class InfluentialHoleOutput(serializers.Serializer[object]):
    """Means over all pairs of systems of the absolute change of their difference in the measure's mean."""

    query_id = serializers.CharField()
    passage_id = serializers.CharField()
    value = serializers.FloatField(help_text="by which holes are ordered: `influence`, or what the model expects of it")
    influence = serializers.FloatField(help_text="between the grade 0 and the top grade, with the ideal held fixed")
    through_ideal = serializers.FloatField(help_text="what the ideal alone changes, which the top grade may raise")
    has_text = serializers.BooleanField(help_text="without one nobody can judge it")
    ranks = HoleRankOutput(many=True, help_text="where systems have it in their top ten; the others do not")


class InfluenceOutput(serializers.Serializer[object]):
    """`moving` of the `holes` move anything. `ignored` lie in topics where nothing is relevant yet."""

    measure = serializers.CharField()
    rule = serializers.CharField(help_text="of the completed qrels that it was computed with")
    consensus = serializers.CharField()
    weights = serializers.CharField(help_text="the model that weights it; empty for none")
    systems = serializers.IntegerField()
    topics = serializers.IntegerField()
    holes = serializers.IntegerField()
    moving = serializers.IntegerField()
    ignored = serializers.IntegerField()
    unanswered = serializers.IntegerField(help_text="holes of which the weighting model says nothing")
    top = InfluentialHoleOutput(many=True, help_text="the first of those that move anything")


class KnownInfluenceOutput(serializers.Serializer[object]):
    """`influence` is null until somebody has it computed."""

    influence = InfluenceOutput(source="value", allow_null=True)
    computed_at = serializers.DateTimeField(allow_null=True)
    is_stale = serializers.BooleanField(help_text="grades or runs have changed since: compute it again")
    judgments = serializers.IntegerField(help_text="stored since it was computed")
    decisions = serializers.IntegerField(help_text="of adjudicators, since then")
    reason = serializers.DictField(child=serializers.CharField(), required=False)


class InfluenceInput(serializers.Serializer[object]):
    weights = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="a model rater; refused where anybody grades blind"
    )
    orders = serializers.BooleanField(default=False, help_text="let people judge holes in this order")


class InfluenceQueuedOutput(serializers.Serializer[object]):
    subject = serializers.CharField()
    state = serializers.CharField()


NEVER = {
    "value": None,
    "computed_at": None,
    "is_stale": False,
    "judgments": 0,
    "decisions": 0,
    "reason": {"influence": "it was not computed yet: ask for it at influence/compute/"},
}


@web.research_api("influence", "Which holes can move the ranking of systems most", KnownInfluenceOutput, errors=[403])
def answer_influence(request: web_api.SignedInRequest, collection: Collection) -> object:
    return influence.find_influence(collection) or NEVER


@extend_schema(
    operation_id="compute_influence",
    summary="Compute influence in the background, and perhaps let holes be judged in its order",
    request=InfluenceInput,
    responses={202: InfluenceQueuedOutput, **web_api.error_answers(400, 403, 409, 413, 415)},
    tags=["findings"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def request_influence(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = researched_or_404(request.user, slug)
    asked = web_api.validate_body(InfluenceInput, request.data)
    try:
        queued = influence.request_influence(collection=collection, **asked, by=request.user, now=timezone.now())
    except influence.CannotWeight as reason:
        raise web_api.Refused(409, str(reason)) from None
    return Response(InfluenceQueuedOutput(queued).data, status=202)
