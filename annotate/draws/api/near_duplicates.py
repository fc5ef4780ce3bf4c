"""Near-duplicate passages of a topic."""

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, renderer_classes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.draws.operations import near_duplicates as finding
from annotate.draws.queries import near_duplicates
from annotate.formats import jsonl
from annotate.web import access
from annotate.web.api import errors, renderers


class NearDuplicateOutput(serializers.Serializer):
    """One line."""

    query_id = serializers.CharField()
    passage_id = serializers.CharField()
    duplicate_of = serializers.CharField(
        help_text="the passage of the topic that is judged for it, if the settings say"
    )
    grade = serializers.IntegerField(allow_null=True, help_text="people's, perhaps propagated; null without one")


class QueuedOutput(serializers.Serializer):
    subject = serializers.CharField()
    state = serializers.CharField()


@extend_schema(
    operation_id="near_duplicates",
    summary="All near-duplicates, one JSON object a line",
    responses={(200, renderers.JsonLines.media_type): NearDuplicateOutput, **errors.answers(403)},
    tags=["pairs"],
)
@api_view(["GET"])
@renderer_classes([JSONRenderer, renderers.JsonLines])
def stream(request: Request, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    lines = (jsonl.dump(record) for record in near_duplicates.records(collection))
    return StreamingHttpResponse(lines, content_type=renderers.JsonLines.media_type)


@extend_schema(
    operation_id="find_near_duplicates",
    summary="Look for near-duplicates in the background",
    request=None,
    responses={202: QueuedOutput, **errors.answers(403)},
    tags=["pairs"],
)
@api_view(["POST"])
def find(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    queued = finding.request_finding(collection=collection, by=request.user, now=timezone.now())
    return Response(QueuedOutput(queued).data, status=202)
