"""Holes with their texts: what a predictor outside needs to grade them."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import renderer_classes
from rest_framework.renderers import JSONRenderer

from annotate.formats import jsonl
from annotate.grades import holes
from annotate.models import Collection
from annotate.rules import completion
from annotate.web import access
from annotate.web import api as web_api


class ObservedOutput(serializers.Serializer[object]):
    passage_id = serializers.CharField()
    grade = serializers.IntegerField(min_value=0)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # declared: the class has its own `source` all the same
        choices=[completion.REFERENCE, completion.PEOPLE]
    )


class HoleOutput(serializers.Serializer[object]):
    """One line. `observed` are the grades in the topic that close holes: of the reference, without those that were
    dropped and those below 0, and of people's consensus."""

    query_id = serializers.CharField()
    query = serializers.CharField()
    backstory = serializers.CharField()
    passage_id = serializers.CharField()
    title = serializers.CharField()
    passage = serializers.CharField(allow_null=True, help_text="null where the collection lacks the text")
    observed = ObservedOutput(many=True)


@extend_schema(
    operation_id="holes",
    summary="All holes with their texts, one JSON object a line",
    responses={(200, web_api.JsonLinesRenderer.media_type): HoleOutput, **web_api.error_answers(403)},
    tags=["research"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.JsonLinesRenderer])
def stream(request: web_api.SignedInRequest, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    return StreamingHttpResponse(_lines(collection), content_type=web_api.JsonLinesRenderer.media_type)


def _lines(collection: Collection) -> Iterator[bytes]:
    return (jsonl.dump(record) for record in holes.hole_records(collection))
