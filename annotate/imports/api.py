"""Predictions of a model outside, taken in under a rater's name."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.formats import predictions
from annotate.formats.faults import FileRefused
from annotate.imports.operations import predictions as predictions_kinds
from annotate.models import Collection
from annotate.web import access
from annotate.web import api as web_api


class PredictionInput(serializers.Serializer[object]):
    """One line, or one entry of the list. Other fields are passed over: a hole may be sent back with a grade."""

    query_id = serializers.CharField()
    passage_id = serializers.CharField()
    grade = serializers.FloatField(
        allow_null=True, help_text="null, or a number off the scale, is kept as an answer without a grade"
    )
    probabilities = serializers.ListField(
        child=serializers.FloatField(), required=False, help_text="over the scale, from the lowest grade up"
    )
    reason = serializers.CharField(required=False)


class UploadedOutput(serializers.Serializer[object]):
    rater = serializers.CharField()
    added = serializers.IntegerField()
    unchanged = serializers.IntegerField(help_text="were there before, word for word")
    without_grade = serializers.IntegerField(help_text="of all that were sent")


@extend_schema(
    operation_id="upload_predictions",
    summary="Upload the grades of a model",
    description=f"All or nothing, at most {predictions_kinds.MOST} at once. The same again changes nothing (200).",
    parameters=[OpenApiParameter("rater", str, required=True, description="the name of the model rater")],
    request={
        web_api.JsonLinesParser.media_type: PredictionInput,
        web_api.LongJsonParser.media_type: PredictionInput(many=True),
    },
    responses={200: UploadedOutput, 201: UploadedOutput, **web_api.error_answers(400, 403, 413, 415)},
    tags=["research"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser, web_api.JsonLinesParser])
def upload(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    try:
        uploaded = predictions_kinds.upload_predictions(
            collection=collection,
            rater=request.query_params.get("rater", ""),
            predictions=_read(request.data, collection),
            by=request.user,
            now=timezone.now(),
        )
    except predictions_kinds.CannotUpload as reason:
        raise web_api.Refused(400, str(reason)) from None
    except FileRefused as refused:
        raise web_api.refused_file(refused) from None
    return Response(UploadedOutput(uploaded).data, status=201 if uploaded.added else 200)


def _read(sent: object, collection: Collection) -> list[predictions.Prediction]:
    if isinstance(sent, bytes):
        return predictions.parse_lines(sent, collection.scale)
    if isinstance(sent, list):
        return predictions.parse_list(sent, collection.scale)
    raise web_api.Refused(400, "Send a list of predictions, or one JSON object a line as application/x-ndjson.")
