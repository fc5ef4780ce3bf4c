"""The influence of holes on the ranking of systems."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.web import access
from annotate.web import api as web_api
from evaluation.findings import influence as findings_influence


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


@extend_schema(
    operation_id="influence",
    summary="Which holes can move the ranking of systems most",
    responses={200: KnownInfluenceOutput, **web_api.error_answers(403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_influence(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    return Response(KnownInfluenceOutput(findings_influence.find_influence(collection) or NEVER).data)


@extend_schema(
    operation_id="compute_influence",
    summary="Compute influence in the background, and perhaps let holes be judged in its order",
    request=InfluenceInput,
    responses={202: InfluenceQueuedOutput, **web_api.error_answers(400, 403, 409, 413, 415)},
    tags=["findings"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def compute_influence(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    asked = web_api.validate_body(InfluenceInput, request.data)
    try:
        queued = findings_influence.request_influence(
            collection=collection, **asked, by=request.user, now=timezone.now()
        )
    except findings_influence.CannotWeight as reason:
        raise web_api.Refused(409, str(reason)) from None
    return Response(InfluenceQueuedOutput(queued).data, status=202)
