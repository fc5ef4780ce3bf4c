"""The API of draws, and of pairs added, withdrawn or mixed in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes, renderer_classes
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from annotate.draws import queries
from annotate.draws.operations import changes, draws
from annotate.draws.operations import changes as near_duplicates_operations
from annotate.draws.operations.changes import NoReason, TooMany
from annotate.draws.queries import Plan
from annotate.formats import jsonl, named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.models import Collection, PairDraw, Rater
from annotate.rules import drawing
from annotate.web import access
from annotate.web import api as web_api

PAIR_ANSWERS = web_api.error_answers(400, 403, 413, 415)
DESCRIPTION = f"All or nothing, at most {changes.MOST_AT_ONCE} at once. The same again changes nothing."


class PairInput(serializers.Serializer[object]):
    query_id = serializers.CharField(trim_whitespace=False)
    passage_id = serializers.CharField(trim_whitespace=False)

    class Meta:
        list_serializer_class = web_api.RecordsSerializer


class PairsInput(serializers.Serializer[object]):
    pairs = PairInput(many=True, allow_empty=False)


def read_pairs(sent: dict[str, Any]) -> list[NamedPair]:
    """The pairs in the order in which they were sent. Raises FileRefused."""
    return named_pairs.check_pairs((pair["query_id"], pair["passage_id"]) for pair in sent["pairs"])


@contextmanager
def refusals() -> Iterator[None]:
    """Inside, bad values and pairs are answered with 400, what does not fit what is stored with 409."""
    try:
        yield
    except FileRefused as refused:
        raise web_api.refused_file(refused) from None
    except (drawing.BadValue, NoReason, TooMany) as reason:
        raise web_api.Refused(400, str(reason)) from None
    except drawing.CannotDraw as reason:
        raise web_api.Refused(409, str(reason)) from None


class AddedOutput(serializers.Serializer[object]):
    pooled = serializers.IntegerField(help_text="new in the pool")
    there = serializers.IntegerField(help_text="pooled before; they stay from now on even if the runs lose them")
    settled = serializers.IntegerField(help_text="of all, graded by the reference: nobody is asked")


class WithdrawnInput(PairsInput):
    reason = serializers.CharField(max_length=1000, help_text="stored with the pairs")


class ChangedOutput(serializers.Serializer[object]):
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField(help_text="were so before")
    drawn = serializers.IntegerField(help_text="of those changed, in the sample or list in force")


@extend_schema(
    operation_id="add_pairs",
    summary="Put pairs into the pool, also while people judge",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: PairsInput},
    responses={200: AddedOutput, **PAIR_ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def add_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(PairsInput, request.data)
    with refusals():
        added = changes.add_pairs(collection=collection, named=read_pairs(body))
    return Response(AddedOutput(added).data)


@extend_schema(
    operation_id="withdraw_pairs",
    summary="Ask nobody about these pairs any more",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: WithdrawnInput},
    responses={200: ChangedOutput, **PAIR_ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def withdraw_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(WithdrawnInput, request.data)
    with refusals():
        done = changes.withdraw_pairs(
            collection=collection, named=read_pairs(body), reason=body["reason"], now=timezone.now()
        )
    return Response(ChangedOutput(done).data)


@extend_schema(
    operation_id="restore_pairs",
    summary="Ask about withdrawn pairs again",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: PairsInput},
    responses={200: ChangedOutput, **PAIR_ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def restore_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(PairsInput, request.data)
    with refusals():
        done = changes.restore_pairs(collection=collection, named=read_pairs(body), now=timezone.now())
    return Response(ChangedOutput(done).data)


class NearDuplicateOutput(serializers.Serializer[object]):
    """One line."""

    query_id = serializers.CharField()
    passage_id = serializers.CharField()
    duplicate_of = serializers.CharField(
        help_text="the passage of the topic that is judged for it, if the settings say"
    )
    grade = serializers.IntegerField(allow_null=True, help_text="people's, perhaps propagated; null without one")


class QueuedOutput(serializers.Serializer[object]):
    subject = serializers.CharField()
    state = serializers.CharField()


@extend_schema(
    operation_id="near_duplicates",
    summary="All near-duplicates, one JSON object a line",
    responses={(200, web_api.JsonLinesRenderer.media_type): NearDuplicateOutput, **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.JsonLinesRenderer])
def stream_near_duplicates(request: web_api.SignedInRequest, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    lines = (jsonl.dump(record) for record in queries.near_duplicate_records(collection))
    return StreamingHttpResponse(lines, content_type=web_api.JsonLinesRenderer.media_type)


@extend_schema(
    operation_id="find_near_duplicates",
    summary="Look for near-duplicates in the background",
    request=None,
    responses={202: QueuedOutput, **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("POST")
def find_near_duplicates(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    queued = near_duplicates_operations.request_finding(collection=collection, by=request.user, now=timezone.now())
    return Response(QueuedOutput(queued).data, status=202)


class DrawOutput(serializers.Serializer[object]):
    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=PairDraw.Kind.choices)
    seed = serializers.IntegerField(allow_null=True)
    size = serializers.IntegerField(help_text="pairs")
    frame_version = serializers.IntegerField(help_text="of the frame of pairs that it was drawn from")
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class DrawDetailOutput(DrawOutput):
    """`design` of a sample: strata, sizes, sampled pairs in random order, and digests of what must not change."""

    design = serializers.JSONField()


class SampleInput(serializers.Serializer[object]):
    """Either `share` or `number`: of the open pairs of each topic, or of the topics."""

    unit = serializers.ChoiceField(choices=queries.UNITS, default=queries.PAIR)
    share = serializers.FloatField(required=False, allow_null=True, default=None)
    number = serializers.IntegerField(required=False, allow_null=True, default=None)
    depth = serializers.IntegerField(default=10, min_value=1, max_value=1000)
    seed = serializers.IntegerField(default=1)
    model = serializers.CharField(required=False, allow_null=True, default=None, help_text="whose grades are frozen")
    leaves_out = serializers.BooleanField(default=False, help_text="go on without pairs that nobody can judge")


class CalibrationInput(serializers.Serializer[object]):
    number = serializers.IntegerField(help_text="of pairs of each reference grade, or all there are")
    seed = serializers.IntegerField(default=1)


ANSWERS = {200: DrawOutput, **web_api.error_answers(403, 409)}
MADE = {201: DrawDetailOutput, **web_api.error_answers(400, 403, 409, 413, 415)}


@extend_schema(
    operation_id="pair_draws",
    summary="All draws, the newest first",
    responses={200: DrawOutput(many=True), **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("GET")
def list_draws(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    return Response(DrawOutput(queries.list_draws(collection).defer("design"), many=True).data)


@extend_schema(
    operation_id="pair_draw",
    summary="One draw with its design",
    responses={200: DrawDetailOutput, **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("GET")
def show_draw(request: web_api.SignedInRequest, slug: str, draw_id: int) -> Response:
    collection = access.researched_or_404(request.user, slug)
    return Response(DrawDetailOutput(get_object_or_404(PairDraw, collection=collection, pk=draw_id)).data)


@extend_schema(
    operation_id="draw_sample",
    summary="Let people judge a recorded random sample, and no other pairs",
    request=SampleInput,
    responses=MADE,
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def draw_sample(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(SampleInput, request.data)
    with refusals():
        plan = Plan(**{**body, "model": _model(collection, body["model"])})
        draw = draws.draw_sample(collection=collection, plan=plan, by=request.user, now=timezone.now())
    return Response(DrawDetailOutput(draw).data, status=201)


@extend_schema(
    operation_id="draw_list",
    summary="Let people judge these pairs in this order, and no others",
    description=f"All or nothing, at most {draws.MOST_LISTED}, of them at most {changes.MOST_AT_ONCE} new in the pool.",
    request={web_api.LongJsonParser.media_type: PairsInput},
    responses=MADE,
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def draw_list(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(PairsInput, request.data)
    with refusals():
        named = read_pairs(body)
        draw = draws.draw_list(collection=collection, named=named, by=request.user, now=timezone.now())
    return Response(DrawDetailOutput(draw).data, status=201)


@extend_schema(
    operation_id="end_draw",
    summary="End the draw in force: every hole is judged again, topic by topic",
    request=None,
    responses=ANSWERS,
    tags=["pairs"],
)
@web_api.api_view("POST")
def end_draw(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    with refusals():
        draw = draws.end_draw(collection=collection, by=request.user, now=timezone.now())
    return Response(DrawOutput(draw).data)


@extend_schema(
    operation_id="draw_calibration",
    summary="Mix pairs of the reference in, blind",
    request=CalibrationInput,
    responses=MADE,
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def draw_calibration(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(CalibrationInput, request.data)
    with refusals():
        draw = draws.draw_calibration(collection=collection, **body, by=request.user, now=timezone.now())
    return Response(DrawDetailOutput(draw).data, status=201)


@extend_schema(
    operation_id="end_calibration",
    summary="Ask about no more pairs of the reference",
    request=None,
    responses=ANSWERS,
    tags=["pairs"],
)
@web_api.api_view("POST")
def end_calibration(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    with refusals():
        draw = draws.end_calibration(collection=collection, now=timezone.now())
    return Response(DrawOutput(draw).data)


def _model(collection: Collection, name: str | None) -> Rater | None:
    if name is None:
        return None
    model = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, name=name).first()
    if model is None:
        raise drawing.BadValue(f"The collection has no model rater named {name!r}.")
    return model
