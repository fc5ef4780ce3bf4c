"""Holes with their texts: what a predictor outside needs to grade them."""

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import renderer_classes
from rest_framework.renderers import JSONRenderer

from annotate.formats import jsonl
from annotate.grades import holes
from annotate.rules import completion
from annotate.web import access
from annotate.web import api as web_api

OBSERVED = ("first", "every")


class ObservedOutput(serializers.Serializer[object]):
    passage_id = serializers.CharField()
    grade = serializers.IntegerField(min_value=0)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # declared: the class has its own `source` all the same
        choices=[completion.REFERENCE, completion.PEOPLE]
    )


class HoleOutput(serializers.Serializer[object]):
    """One line. `observed` are the grades in the topic that close holes: of the reference, without those that were
    dropped and those below 0, and of people's consensus. They come with the first hole of a topic; with the others it
    is null, unless `observed=every` is asked for."""

    query_id = serializers.CharField()
    query = serializers.CharField()
    backstory = serializers.CharField()
    passage_id = serializers.CharField()
    title = serializers.CharField()
    passage = serializers.CharField(allow_null=True, help_text="null where the collection lacks the text")
    observed = ObservedOutput(many=True, allow_null=True)


@extend_schema(
    operation_id="holes",
    summary="All holes with their texts, one JSON object a line, topic by topic",
    parameters=[
        OpenApiParameter("observed", str, enum=OBSERVED, description="with which holes of a topic its grades come")
    ],
    responses={(200, web_api.JsonLinesRenderer.media_type): HoleOutput, **web_api.error_answers(400, 403)},
    tags=["research"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.JsonLinesRenderer])
def stream(request: web_api.SignedInRequest, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    observed = request.query_params.get("observed", "first")
    if observed not in OBSERVED:
        raise web_api.Refused(
            400,
            "The grades of a topic come with its first hole or with every one.",
            [("observed", "not first or every")],
        )
    records = holes.hole_records(collection, repeats_observed=observed == "every")
    return StreamingHttpResponse(map(jsonl.dump, records), content_type=web_api.JsonLinesRenderer.media_type)
