"""Batches of questions to judges and models: estimated, started, listed, paused, resumed, cancelled."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from django import forms
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.grades import batches as batch_queries
from annotate.models import Answer, Batch, Collection, Work
from annotate.suggestions.forms.requests import AskForm, BackstoriesForm, ProbeForm, ServiceForm, VariantsForm
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk, ServicePlan
from annotate.web import access
from annotate.web import api as web_api

F = TypeVar("F", bound=Callable[..., Any])
FORMS: dict[str, type[ServiceForm]] = {
    Batch.Purpose.GRADES: AskForm,
    Batch.Purpose.BACKSTORIES: BackstoriesForm,
    Batch.Purpose.VARIANTS: VariantsForm,
    Batch.Purpose.PROBE: ProbeForm,
}


class CountsField(serializers.DictField):
    child = serializers.IntegerField()


class MessageOutput(serializers.Serializer[object]):
    count = serializers.IntegerField()
    message = serializers.CharField(help_text="the service's words, the last time")


class PossiblyBilledOutput(serializers.Serializer[object]):
    """Calls that were sent and got no answer."""

    calls = serializers.IntegerField()
    cost = serializers.CharField(allow_null=True, help_text="US dollars at most; null where no price is known")


class AwayOutput(serializers.Serializer[object]):
    """While the service answers nothing."""

    since = serializers.DateTimeField()
    cause = serializers.CharField()
    tries = serializers.IntegerField()
    next_try = serializers.DateTimeField(allow_null=True)


class BatchOutput(serializers.Serializer[object]):
    """`state` is that of its work, `states` counts its rows, `causes` why rows have no answer."""

    batch = serializers.IntegerField()
    purpose = serializers.ChoiceField(choices=Batch.Purpose.choices)
    name = serializers.CharField(help_text="the rater whose grades are asked for, or what is asked of which model")
    state = serializers.ChoiceField(choices=Work.State.choices)
    error = serializers.CharField(help_text="why it stopped, with the service's words")
    waits_for = serializers.CharField(help_text="what stands before it; empty where nothing does")
    is_cancelled = serializers.BooleanField()
    is_batched = serializers.BooleanField(help_text="by the Batch API")
    states = CountsField(help_text=", ".join(Answer.State.values))
    causes = CountsField()
    messages = serializers.DictField(child=MessageOutput(), help_text="by cause, what the service answered")
    adapted = serializers.ListField(child=serializers.CharField(), help_text="what the model does not take, in words")
    model_versions = serializers.ListField(child=serializers.CharField())
    calls = serializers.IntegerField(help_text="answers that were paid")
    tokens = CountsField(help_text="as the service counts them; thought are among given")
    cost = serializers.CharField(allow_null=True, help_text="US dollars so far; null where no price is known")
    possibly_billed = PossiblyBilledOutput(help_text="beside the cost; the budget counts it")
    budget = serializers.CharField(allow_null=True, help_text="US dollars")
    budget_tokens = serializers.IntegerField(allow_null=True)
    away = AwayOutput(allow_null=True)


class PlanInput(serializers.Serializer[object]):
    """`plan` has the fields of the page's form by their names; what is left out is as the form shows it first."""

    purpose = serializers.ChoiceField(choices=Batch.Purpose.choices)
    plan = serializers.DictField(help_text="for instance service, model, prompt (its name), budget, is_batched")


class TokensOutput(serializers.Serializer[object]):
    fresh = serializers.IntegerField()
    cached = serializers.IntegerField()
    written = serializers.IntegerField()
    given = serializers.IntegerField()


class EstimateOutput(serializers.Serializer[object]):
    items = serializers.IntegerField(help_text="pairs or texts")
    calls = serializers.IntegerField()
    most_calls = serializers.IntegerField()
    most_tokens = TokensOutput()
    most_cost = serializers.CharField(allow_null=True, help_text="US dollars at most; null where no price is known")
    prices_as_of = serializers.CharField()
    without_backstory = serializers.IntegerField(help_text="pairs left out, since their topic has none")


def _described(
    operation: str, summary: str, answers: Mapping[Any, Any], *refusals: int, **more: Any
) -> Callable[[F], F]:
    """The operation in the schema of the API. It has no body, if not `request` says which."""
    responses = {**answers, **web_api.error_answers(403, *refusals)}
    described = {"request": None, "responses": responses, "tags": ["batches"], **more}
    return extend_schema(operation_id=operation, summary=summary, **described)


@_described("batches", "All batches, the newest first", {200: BatchOutput(many=True)})
@web_api.api_view("GET")
def list_batches(request: web_api.SignedInRequest, slug: str) -> Response:
    collection, now = access.researched_or_404(request.user, slug), timezone.now()
    asked = batch_queries.select_asked(collection).order_by("-pk")
    return Response(BatchOutput([batch_queries.batch_record(one, now) for one in asked], many=True).data)


@_described("batch", "One batch: how far it is, what it came to and cost", {200: BatchOutput})
@web_api.api_view("GET")
def show_batch(request: web_api.SignedInRequest, slug: str, batch_id: int) -> Response:
    return _answer(_find(request, slug, batch_id))


@_described(
    "estimate_batch", "A dry run: no call is made", {200: EstimateOutput}, 400, 409, 413, 415, request=PlanInput
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def estimate_batch(request: web_api.SignedInRequest, slug: str) -> Response:
    collection, now = access.researched_or_404(request.user, slug), timezone.now()
    form = _read_plan(collection, request.data)
    with _refusals():
        plan = form.plan(now)
        if not isinstance(plan, ServicePlan):
            raise CannotAsk("One of Lacuna's own judges makes no calls and costs nothing: start it.")
        return Response(EstimateOutput(batches.estimate(collection=collection, plan=plan, now=now)).data)


@_described("start_batch", "Queue a batch for a worker", {201: BatchOutput}, 400, 409, 413, 415, request=PlanInput)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def start_batch(request: web_api.SignedInRequest, slug: str) -> Response:
    collection, now = access.researched_or_404(request.user, slug), timezone.now()
    form = _read_plan(collection, request.data)
    with _refusals():
        started = batches.start(collection=collection, plan=form.plan(now), by=request.user, now=now)
    return _answer(started, status=201)


@_described("pause_batch", "Stop after the calls that are under way", {200: BatchOutput}, 409)
@web_api.api_view("POST")
def pause_batch(request: web_api.SignedInRequest, slug: str, batch_id: int) -> Response:
    return _change(request, slug, batch_id, batches.PAUSE)


@_described("resume_batch", "Go on, or ask again about what has no grade or text", {200: BatchOutput}, 409)
@web_api.api_view("POST")
def resume_batch(request: web_api.SignedInRequest, slug: str, batch_id: int) -> Response:
    return _change(request, slug, batch_id, batches.RESUME)


@_described("cancel_batch", "Ask nothing more; what was answered is kept", {200: BatchOutput}, 409)
@web_api.api_view("POST")
def cancel_batch(request: web_api.SignedInRequest, slug: str, batch_id: int) -> Response:
    return _change(request, slug, batch_id, batches.CANCEL)


def _change(request: web_api.SignedInRequest, slug: str, batch_id: int, action: str) -> Response:
    asked = _find(request, slug, batch_id)
    with _refusals():
        batches.change(batch=asked, action=action, by=request.user, now=timezone.now())
    asked.refresh_from_db()
    return _answer(asked)


def _find(request: web_api.SignedInRequest, slug: str, batch_id: int) -> Batch:
    collection = access.researched_or_404(request.user, slug)
    return get_object_or_404(batch_queries.select_asked(collection), pk=batch_id)


def _answer(batch: Batch, status: int = 200) -> Response:
    return Response(BatchOutput(batch_queries.batch_record(batch, timezone.now())).data, status=status)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except BadPlan as reason:
        raise web_api.Refused(400, str(reason), [("plan", str(reason))]) from None
    except CannotAsk as reason:
        raise web_api.Refused(409, str(reason)) from None


def _read_plan(collection: Collection, sent: object) -> ServiceForm:
    """The form of the page, valid. Raises Refused, naming each field that is wrong."""
    body = web_api.validate_body(PlanInput, sent)
    form = FORMS[body["purpose"]](collection)
    plan: dict[str, Any] = body["plan"]
    faults = [(name, reason) for name, value in plan.items() if (reason := _find_fault(form.fields.get(name), value))]
    if not faults:
        given: dict[str, Any] = {name: _as_sent_by_a_page(value) for name, value in plan.items() if value is not None}
        if "prompt" in given:
            given["prompt"] = prompts.find_choice(collection, form.prompt_purpose, given["prompt"])
        form = type(form)(collection, {**_list_usual(form), **given})
        faults = [(name, str(reason)) for name, reasons in form.errors.items() for reason in reasons]
    if faults:
        raise web_api.Refused(400, "The plan cannot be read.", [(f"plan.{name}", reason) for name, reason in faults])
    return form


def _find_fault(field: forms.Field | None, value: object) -> str:
    """Whether a value is of a type that the field takes; what remains to be said of it the form says."""
    if field is None:
        return "there is no such field"
    if isinstance(field, forms.MultipleChoiceField):
        is_right, wanted = isinstance(value, list) and all(isinstance(one, str) for one in value), "a list of texts"
    elif isinstance(field, forms.BooleanField):
        is_right, wanted = isinstance(value, bool), "true or false"
    elif isinstance(field, forms.CharField | forms.ChoiceField):
        is_right, wanted = isinstance(value, str), "a text"
    else:
        is_right, wanted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    return "" if is_right or value is None else f"expected {wanted}"


def _as_sent_by_a_page(value: object) -> object:
    """A form reads numbers as text: so the largest are refused as any other."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _list_usual(form: ServiceForm) -> dict[str, object]:
    """What the fields hold before anybody wrote, as a browser sends it."""
    usual: dict[str, object] = {}
    for name, field in form.fields.items():
        if field.initial is not None:
            usual[name] = field.initial
        elif isinstance(field, forms.ChoiceField) and not isinstance(field, forms.MultipleChoiceField):
            choices: Any = field.choices
            usual[name] = next(iter(choices))[0]
    return usual
