"""Downloads: tables as CSV and LaTeX, figures as SVG and PNG, and the refusal of either in a sentence."""

from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from annotate.models import Collection
from annotate.web.signed_in import SignedInRequest
from annotate.work import workers
from evaluation.findings import drawing as drawings
from evaluation.findings.drawing import Drawing
from evaluation.plots.figure import Figure
from evaluation.tables import csv_text, latex
from evaluation.tables.table import Table

WRITERS = {"csv": (csv_text.write, "text/csv"), "tex": (latex.write, "application/x-tex")}
DRAWINGS = {"svg": "image/svg+xml", "png": "image/png"}


def table(told: Table, name: str, format: str) -> HttpResponse:
    """The table as a file to keep; 404 for a format that there is not."""
    if format not in WRITERS:
        raise Http404("A table is downloaded as csv or tex.")
    write, content_type = WRITERS[format]
    return file(write(told).encode(), f"{content_type}; charset=utf-8", f"{name}.{format}")


def figure(request: SignedInRequest, collection: Collection, told: Figure, name: str, format: str) -> HttpResponse:
    """The figure as a file to keep; 404 for a format that there is not.

    Until it is drawn, a page (202) that says so and looks again by itself, and 503 where drawing failed. htmx gets the
    inner part of that page, in the end with the figure on it.
    """
    if format not in DRAWINGS:
        raise Http404("A figure is downloaded as svg or png.")
    now = timezone.now()
    drawing = drawings.ask(
        collection=collection,
        figure=told,
        format=format,  # type: ignore[arg-type]
        address=request.get_full_path(),
        by=request.user,
        now=now,
    )
    if drawing.content is not None and not request.htmx:
        return file(drawing.content, DRAWINGS[format], f"{name}.{format}")
    words = {"collection": collection, "figure": told, "drawing": drawing, "file": f"{name}.{format}"}
    words["is_worker_silent"] = workers.is_silent(collection, now)
    template = "evaluation/_figure.html" if request.htmx else "evaluation/figure.html"
    response = render(request, template, words, status=_status(drawing))
    patch_vary_headers(response, ["HX-Request"])
    return response


def _status(drawing: Drawing) -> int:
    if drawing.content is not None:
        return 200
    return 503 if drawing.work and drawing.work.is_over else 202


def refusal(form: Form) -> HttpResponse:
    """What is wrong with the address, one sentence a line."""
    lines = [
        error if name == "__all__" else f"{name}: {error}" for name, found in form.errors.items() for error in found
    ]
    said = lines or ["The address does not say what to show."]
    return HttpResponse("\n".join([*said, ""]), status=422, content_type="text/plain; charset=utf-8")


def file(content: bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
