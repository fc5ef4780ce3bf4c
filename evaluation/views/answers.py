"""Downloads: tables as CSV and LaTeX, figures as SVG and PNG, and the refusal of either in a sentence."""

from django.forms import Form
from django.http import Http404, HttpResponse

from evaluation.operations import drawing
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import NotDrawn
from evaluation.tables import csv_text, latex
from evaluation.tables.table import Table

WRITERS = {"csv": (csv_text.write, "text/csv"), "tex": (latex.write, "application/x-tex")}
DRAWINGS = {"svg": "image/svg+xml", "png": "image/png"}


def table(told: Table, name: str, format: str) -> HttpResponse:
    """The table as a file to keep; 404 for a format that there is not."""
    if format not in WRITERS:
        raise Http404("A table is downloaded as csv or tex.")
    write, content_type = WRITERS[format]
    return _file(write(told).encode(), f"{content_type}; charset=utf-8", f"{name}.{format}")


def figure(told: Figure, name: str, format: str) -> HttpResponse:
    """The figure as a file to keep; 404 for a format that there is not, 503 with the reason where it is not drawn."""
    if format not in DRAWINGS:
        raise Http404("A figure is downloaded as svg or png.")
    try:
        drawn = drawing.draw(told, format)  # type: ignore[arg-type]
    except NotDrawn as reason:
        return HttpResponse(f"The figure could not be drawn: {reason}\n", status=503, content_type="text/plain")
    return _file(drawn, DRAWINGS[format], f"{name}.{format}")


def refusal(form: Form) -> HttpResponse:
    """What is wrong with the address, one sentence a line."""
    lines = [
        error if name == "__all__" else f"{name}: {error}" for name, found in form.errors.items() for error in found
    ]
    said = lines or ["The address does not say what to show."]
    return HttpResponse("\n".join([*said, ""]), status=422, content_type="text/plain; charset=utf-8")


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
