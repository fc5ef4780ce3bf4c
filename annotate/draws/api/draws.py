"""Draws: which pairs people judge, or in which order, with the designs that an analysis reads."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.draws.api import pairs
from annotate.draws.operations import calibration, changes, draws
from annotate.draws.queries import pair_draws, sample_plans
from annotate.draws.queries.sample_plans import Plan
from annotate.models import Collection, PairDraw, Rater
from annotate.rules import drawing
from annotate.web import access
from annotate.web import api as web_api


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

    unit = serializers.ChoiceField(choices=sample_plans.UNITS, default=sample_plans.PAIR)
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
    return Response(DrawOutput(pair_draws.list_draws(collection).defer("design"), many=True).data)


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
    with pairs.refusals():
        plan = Plan(**{**body, "model": _model(collection, body["model"])})
        draw = draws.draw_sample(collection=collection, plan=plan, by=request.user, now=timezone.now())
    return Response(DrawDetailOutput(draw).data, status=201)


@extend_schema(
    operation_id="draw_list",
    summary="Let people judge these pairs in this order, and no others",
    description=f"All or nothing, at most {draws.MOST_LISTED}, of them at most {changes.MOST_AT_ONCE} new in the pool.",
    request={web_api.LongJsonParser.media_type: pairs.PairsInput},
    responses=MADE,
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def draw_list(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(pairs.PairsInput, request.data)
    with pairs.refusals():
        named = pairs.read_pairs(body)
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
    with pairs.refusals():
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
    with pairs.refusals():
        draw = calibration.draw_calibration(collection=collection, **body, by=request.user, now=timezone.now())
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
    with pairs.refusals():
        draw = calibration.end_calibration(collection=collection, now=timezone.now())
    return Response(DrawOutput(draw).data)


def _model(collection: Collection, name: str | None) -> Rater | None:
    if name is None:
        return None
    model = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, name=name).first()
    if model is None:
        raise drawing.BadValue(f"The collection has no model rater named {name!r}.")
    return model
