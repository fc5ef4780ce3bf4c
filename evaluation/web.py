"""What the pages and the API of findings share: downloads, fields of forms, outputs of intervals and reasons."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

from django import forms
from django.forms import Form
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotate.models import Collection, User
from annotate.web import access
from annotate.web import api as web_api
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation.agreement import value
from evaluation.agreement.value import Value
from evaluation.findings import finding
from evaluation.findings.finding import Drawing, KnownFinding
from evaluation.inputs.choices import Answer, Question
from evaluation.plots.figure import Figure
from evaluation.statistics.bootstrap import IntervalJson, describe_interval
from evaluation.tables import table as tables_table
from evaluation.tables.table import Ends, Table

BEING_COMPUTED = "it is being computed in the background: ask again"
WRITERS = {"csv": (tables_table.write_csv, "text/csv"), "tex": (tables_table.write_latex, "application/x-tex")}
DRAWINGS = {"svg": "image/svg+xml", "png": "image/png"}
NOTHING_ASKED = "The address does not say what to show."
View = Callable[..., HttpResponse]
AnyForm = TypeVar("AnyForm", bound=Form)


class NoFile(Exception):
    """A page or download is answered with a sentence in its place, which has a status of its own."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def research_page(view: View) -> Callable[..., HttpResponseBase]:
    """A page that changes nothing, for researchers of the collection, which the view gets. It may raise NoFile."""

    @wraps(view)
    def wrapped(request: SignedInRequest, /, slug: str, **parts: str) -> HttpResponse:
        try:
            return view(request, access.researched_or_404(request.user, slug), **parts)
        except NoFile as reason:
            return HttpResponse(f"{reason}\n", status=reason.status, content_type="text/plain; charset=utf-8")

    return require_safe(signed_in(wrapped))


def research_api(
    name: str,
    summary: str,
    output: type[serializers.Serializer[object]],
    *,
    parameters: Iterable[OpenApiParameter] = (),
    errors: Iterable[int] = (400, 403),
) -> Callable[[Callable[[web_api.SignedInRequest, Collection], object]], Callable[..., HttpResponseBase]]:
    """The same in the API: what the view finds is answered in the shape of `output`."""

    def decorate(view: Callable[[web_api.SignedInRequest, Collection], object]) -> Callable[..., HttpResponseBase]:
        @extend_schema(
            operation_id=name,
            summary=summary,
            parameters=list(parameters),
            responses={200: output, **web_api.error_answers(*errors)},
            tags=["findings"],
        )
        @web_api.api_view("GET")
        @wraps(view)
        def wrapped(request: web_api.SignedInRequest, slug: str) -> Response:
            return Response(output(view(request, access.researched_or_404(request.user, slug))).data)

        return wrapped

    return decorate


def ask_finding(collection: Collection, question: Question[Answer], by: User) -> KnownFinding[Answer]:
    """What is known; where that is nothing, or stale, it is asked for."""
    return finding.ask_finding(collection=collection, question=question, by=by, now=timezone.now())


def answer_table(table: Table, name: str, format: str) -> HttpResponse:
    """The table as a file to keep; 404 for a format that there is not."""
    if format not in WRITERS:
        raise Http404("A table is downloaded as csv or tex.")
    write, content_type = WRITERS[format]
    return answer_file(write(table).encode(), f"{content_type}; charset=utf-8", f"{name}.{format}")


def answer_figure(
    request: SignedInRequest, collection: Collection, figure: Figure, name: str, format: str
) -> HttpResponse:
    """The figure as a file to keep; 404 for a format that there is not.

    Until it is drawn, a page (202) that says so and looks again by itself, and 503 where drawing failed. htmx gets the
    inner part of that page, in the end with the figure on it.
    """
    if format not in DRAWINGS:
        raise Http404("A figure is downloaded as svg or png.")
    now = timezone.now()
    drawing = finding.ask_drawing(
        collection=collection,
        figure=figure,
        format=format,  # type: ignore[arg-type]
        address=request.get_full_path(),
        by=request.user,
        now=now,
    )
    if drawing.content is not None and not request.htmx:
        return answer_file(drawing.content, DRAWINGS[format], f"{name}.{format}")
    words = {"collection": collection, "figure": figure, "drawing": drawing, "file": f"{name}.{format}"}
    words["is_worker_silent"] = progress.is_worker_silent(collection, now)
    template = "evaluation/_figure.html" if request.htmx else "evaluation/figure.html"
    response = render(request, template, words, status=_status(drawing))
    patch_vary_headers(response, ["HX-Request"])
    return response


def _status(drawing: Drawing) -> int:
    if drawing.content is not None:
        return 200
    return 503 if drawing.work and drawing.work.is_over else 202


def valid_form(form: AnyForm) -> AnyForm:
    """The form. Where its address is no valid one raises NoFile: what is wrong, one sentence a line."""
    if form.is_valid():
        return form
    lines = [
        f"{error}" if name == "__all__" else f"{name}: {error}"
        for name, errors in form.errors.items()
        for error in errors
    ]
    raise NoFile("\n".join(lines) or NOTHING_ASKED, 422)


def answer_file(content: bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


class SortField(forms.ChoiceField):
    """The name of a column; with a minus before it from the largest down."""

    def __init__(self, columns: Iterable[str]) -> None:
        choices = [(sign + name, name) for name in columns for sign in ("", "-")]
        super().__init__(choices=choices, required=False, widget=forms.HiddenInput)


class SortedForm(forms.Form):
    """A form of an address that also says by what rows are sorted."""

    @property
    def address(self) -> str:
        """All that was asked but for the order of rows."""
        raise NotImplementedError

    @property
    def sorted_address(self) -> str:
        """The same with the order of rows."""
        return f"{self.address}&sort={self.cleaned_data.get('sort', '')}"


class IntervalOutput(serializers.Serializer[object]):
    """From `low` to `high`, or null with the reason; percentile bootstrap unless a method is named."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField(help_text="the share of the resamples that it spans")
    over = serializers.CharField(help_text="what was drawn anew: topics or pairs")
    n = serializers.IntegerField(help_text="how many of them there are")
    resamples = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="resamples in which the figure is undefined")
    seed = serializers.IntegerField()
    method = serializers.CharField(required=False, help_text="delete-d jackknife: of rank correlations of systems")
    reason = serializers.CharField(required=False, help_text="why there is none")


class ReasonsOutput(serializers.Serializer[object]):
    reason = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="by name, why a value is null"
    )

    def to_representation(self, instance: Any) -> Any:
        """Of each `Value` the number; what is undefined is null, and `reason` says why."""
        named = instance if isinstance(instance, Mapping) else self._attributes(instance)
        values = {name: each for name in map(str, self.fields) if isinstance(each := named.get(name), Value)}
        return super().to_representation({**named, **value.as_json(values)})

    def _attributes(self, instance: object) -> dict[str, object]:
        names = (field.source_attrs[0] for field in self.fields.values())
        return {name: getattr(instance, name) for name in names if hasattr(instance, name)}


class RevealsOutput(serializers.Serializer[object]):
    """What became of grades after which a suggestion was revealed; `towards` and `away` are from it."""

    decided = serializers.IntegerField()
    undecided = serializers.IntegerField()
    differing = serializers.IntegerField(help_text="of the decided, those that differed from the suggestion")
    changed = serializers.IntegerField()
    onto = serializers.IntegerField(help_text="the suggestion; part of towards")
    towards = serializers.IntegerField()
    away = serializers.IntegerField()
    raised = serializers.IntegerField()
    lowered = serializers.IntegerField()


def read_ends(found: IntervalJson | None) -> Ends | None:
    """An interval of a finding as a column has it, with how it was computed or why it is undefined."""
    if found is None:
        return None
    reason = found.get("reason", "")
    how = f"undefined: {reason}" if found["low"] is None else describe_interval(found)
    return Ends(found["low"], found["high"], reason, how)


def describe_waiting(known: KnownFinding[object]) -> Value:
    """Undefined, with the reason: what the background computes is null."""
    if known.is_waiting or known.work is None:
        return value.undefined(BEING_COMPUTED)
    return value.undefined(f"its computation {known.work.get_state_display()}: {known.work.error}".rstrip(": "))
