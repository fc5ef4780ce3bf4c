"""Studies: started, watched, and taken home."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes, renderer_classes
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response

from annotate.models import Work
from annotate.web import access
from annotate.web import api as web_api
from annotate.work import queue
from evaluation.models import Study
from evaluation.studies import queries
from evaluation.studies.kinds import registry
from evaluation.studies.kinds.registry import BadPlan, CannotStudy, StudyKind
from evaluation.studies.operations import reports, running


class Zip(BaseRenderer):
    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        """What is no archive: an error where only archives are accepted."""
        return json.dumps(data).encode()


F = TypeVar("F", bound=Callable[..., Any])
ROWS = Study.objects.select_related("collection", "work")


class PlanField(serializers.DictField):
    """A plan as JSON. Its kind reads it; here nothing of it is known."""


class PlanSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # the library's hook has no types
    """What the models of all kinds say of their plans."""

    target_class = PlanField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, object]:
        plans = [_component(kind) for kind in registry.list_kinds().values()]
        for plan in plans:
            auto_schema.registry.register_on_missing(plan)
        return {"type": "object", "anyOf": [plan.ref for plan in plans]}


def _component(kind: StudyKind) -> ResolvedComponent:
    name = f"{kind.choice.capitalize()}Plan"
    schema = kind.plan.model_json_schema() | {"title": name}
    return ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, kind.plan)  # type: ignore[no-untyped-call]  # as above


class StudyOutput(serializers.Serializer[object]):
    """`done` of `total` parts, then drawings; both null where its work is gone."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Study.Kind.choices)
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=Work.State.choices)
    done = serializers.IntegerField(source="work.done", allow_null=True, default=None)
    total = serializers.IntegerField(source="work.total", allow_null=True, default=None)
    error = serializers.CharField(source="work.error", default="", help_text="why it failed")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class StudyDetailOutput(StudyOutput):
    """`plan` as it can be sent again, `manifest` with every input and its digest; `result` is null until it is done."""

    plan = PlanField()
    manifest = serializers.JSONField()
    result = serializers.JSONField(allow_null=True)
    reason = serializers.SerializerMethodField(help_text="by name, why a value is null")

    def get_reason(self, study: Study) -> dict[str, str]:
        return {} if study.finished_at is not None else {"result": f"the study is {study.state_words}"}


class StudyInput(serializers.Serializer[object]):
    kind = serializers.ChoiceField(choices=Study.Kind.choices)
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=running.LONGEST_TITLE)
    plan = PlanField(required=False, default=dict, help_text="fields of the kind's plan; what is left out is as usual")


def _described(
    operation: str, summary: str, answers: Mapping[Any, Any], *refusals: int, **more: Any
) -> Callable[[F], F]:
    """The operation in the schema of the API. It has no body, if not `request` says which."""
    responses = {**answers, **web_api.error_answers(403, *refusals)}
    described = {"request": None, "responses": responses, "tags": ["studies"], **more}
    return extend_schema(operation_id=operation, summary=summary, **described)


@_described("studies", "All studies, the newest first", {200: StudyOutput(many=True)})
@web_api.api_view("GET")
def index(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    rows = ROWS.filter(collection=collection).defer("plan", "manifest", "result", "report").order_by("-number")
    return Response(StudyOutput(rows, many=True).data)


@_described("study", "One study with its plan, its inputs and what it found", {200: StudyDetailOutput})
@web_api.api_view("GET")
def detail(request: web_api.SignedInRequest, slug: str, number: int) -> Response:
    return Response(StudyDetailOutput(_study(request, slug, number)).data)


@_described(
    "start_study",
    "Write the inputs of this moment down and start a study",
    {202: StudyOutput},
    *(400, 409, 413, 415),
    description="The same plan on the same inputs is the study that there is.",
    request=StudyInput,
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def start(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    wanted = web_api.validate_body(StudyInput, request.data)
    try:
        if lacking := registry.get_kind(wanted["kind"]).why_not(queries.collection_contents(collection)):
            raise web_api.Refused(409, lacking)
        study = running.start_study(collection=collection, **wanted, by=request.user, now=timezone.now())
    except BadPlan as reason:
        raise web_api.Refused(400, str(reason), [("plan", str(reason))]) from None
    except CannotStudy as reason:
        raise web_api.Refused(409, str(reason)) from None
    return Response(StudyOutput(study).data, status=202)


@_described("run_study_again", "Start the same plan on the grades and runs of today", {202: StudyOutput}, 409)
@web_api.api_view("POST")
def again(request: web_api.SignedInRequest, slug: str, number: int) -> Response:
    earlier = _study(request, slug, number)
    try:
        study = running.run_again(study=earlier, by=request.user, now=timezone.now())
    except CannotStudy as reason:
        raise web_api.Refused(409, str(reason)) from None
    return Response(StudyOutput(study).data, status=202)


@_described("stop_study", "Stop a study; what it computed is kept", {200: StudyOutput})
@web_api.api_view("POST")
def stop(request: web_api.SignedInRequest, slug: str, number: int) -> Response:
    study = _study(request, slug, number)
    if study.work is not None:
        queue.stop(work=study.work)
    return Response(StudyOutput(_study(request, slug, number)).data)


@_described("go_on_with_study", "Compute what a study lacks that was stopped or failed", {202: StudyOutput})
@web_api.api_view("POST")
def go_on(request: web_api.SignedInRequest, slug: str, number: int) -> Response:
    running.go_on(study=_study(request, slug, number), by=request.user, now=timezone.now())
    return Response(StudyOutput(_study(request, slug, number)).data, status=202)


@_described("delete_study", "Delete a study and what it found", {204: None})
@web_api.api_view("POST")
def delete(request: web_api.SignedInRequest, slug: str, number: int) -> Response:
    running.delete_study(study=_study(request, slug, number))
    return Response(status=204)


@_described(
    "study_archive",
    "Everything of a finished study in a zip",
    {(200, Zip.media_type): OpenApiTypes.BINARY},
    409,
    description="Its report as one page, result and manifest, figures as SVG and PNG, tables as CSV and LaTeX.",
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, Zip])
def archive(request: web_api.SignedInRequest, slug: str, number: int) -> HttpResponse:
    study = _study(request, slug, number)
    if study.finished_at is None:
        raise web_api.Refused(409, f"The study is {study.state_words}: it has found nothing yet.")
    try:
        return HttpResponse(reports.archive_file(study), content_type=Zip.media_type)
    except reports.NotDrawnYet as reason:
        raise web_api.Refused(409, f"{reason} Ask for them at go-on/.") from None


def _study(request: web_api.SignedInRequest, slug: str, number: int) -> Study:
    collection = access.researched_or_404(request.user, slug)
    return get_object_or_404(ROWS, collection=collection, number=number)
