"""What the pages and the API of findings share: downloads, fields of forms, outputs of intervals and reasons."""

from collections.abc import Iterable

from django import forms
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from rest_framework import serializers

from annotate.models import Collection
from annotate.web.access import SignedInRequest
from annotate.work import progress
from evaluation.findings import finding as drawings
from evaluation.findings.finding import Drawing, KnownFinding
from evaluation.plots.figure import Figure
from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import IntervalJson
from evaluation.tables import table as tables_table
from evaluation.tables.table import Ends, Table

BEING_COMPUTED = "it is being computed in the background: ask again"
WRITERS = {"csv": (tables_table.write_csv, "text/csv"), "tex": (tables_table.write_latex, "application/x-tex")}
DRAWINGS = {"svg": "image/svg+xml", "png": "image/png"}


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
    drawing = drawings.ask_drawing(
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


def refuse_form(form: Form) -> HttpResponse:
    """What is wrong with the address, one sentence a line."""
    lines = [
        f"{error}" if name == "__all__" else f"{name}: {error}"
        for name, errors in form.errors.items()
        for error in errors
    ]
    lines = lines or ["The address does not say what to show."]
    return HttpResponse("\n".join([*lines, ""]), status=422, content_type="text/plain; charset=utf-8")


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


class IntervalOutput(serializers.Serializer[object]):
    """From `low` to `high`, or null with the reason; percentile bootstrap."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField(help_text="the share of the resamples that it spans")
    over = serializers.CharField(help_text="what was drawn anew: topics or pairs")
    n = serializers.IntegerField(help_text="how many of them there are")
    resamples = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="resamples in which the figure is undefined")
    seed = serializers.IntegerField()
    reason = serializers.CharField(required=False, help_text="why there is none")


class ReasonsOutput(serializers.Serializer[object]):
    reason = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="by name, why a value is null"
    )


def read_ends(found: IntervalJson | None) -> Ends | None:
    """An interval of a finding as a column has it, with how it was computed or why it is undefined."""
    if found is None:
        return None
    reason = found.get("reason", "")
    how = f"undefined: {reason}" if found["low"] is None else bootstrap.describe_interval(found)
    return Ends(found["low"], found["high"], reason, how)


def describe_waiting(known: KnownFinding[object]) -> str:
    """Why what the background computes is null."""
    if known.is_waiting or known.work is None:
        return BEING_COMPUTED
    return f"its computation {known.work.get_state_display()}: {known.work.error}".rstrip(": ")
