"""Whether the probabilities of Lacuna's own judge mean what they say, as its versions wrote it down when trained."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render

from annotate.grades import model_raters
from annotate.judges.calibration import Bin, Reliability
from annotate.models import Collection, Rater
from annotate.web.access import SignedInRequest
from annotate.web.views import set_choices
from evaluation import web
from evaluation.agreement.value import Value, undefined
from evaluation.plots.figure import Figure
from evaluation.tables.table import Column, DataTable, Ends, text_column
from evaluation.templatetags.findings import number_cell


@dataclass(frozen=True)
class Part:
    """On some of the judged pairs. `brier` and `ece` 0 to 1; `excess`: grade beyond what was expected, on average."""

    name: str
    pairs: int
    brier: Value
    ece: Value
    excess: Value
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Calibration:
    """Of a version; relevant is what has grade `relevant_from` or more."""

    relevant_from: int
    parts: tuple[Part, ...]


EVERY_PAIR, TOP_PAIRS = "all judged pairs", "the first ten of any run"
_NO_PAIRS = {"every": "no pair is judged", "top": "no judged pair is among the first ten of a pooled run"}


def read_calibration(version: Rater) -> Calibration | None:
    """None where the version has no probabilities of its own, or is not trained yet."""
    stored = version.parameters.get("calibration")
    if not stored:
        return None
    parts = (_part(EVERY_PAIR, stored["every"], _NO_PAIRS["every"]), _part(TOP_PAIRS, stored["top"], _NO_PAIRS["top"]))
    return Calibration(stored["relevant_from"], parts)


def _part(name: str, stored: Mapping[str, Any], no_pairs: str) -> Part:
    found = Reliability(**{**stored, "bins": tuple(Bin(**each) for each in stored["bins"])})
    figures = (found.brier, found.ece, found.excess)
    brier, ece, excess = (undefined(no_pairs) if figure is None else Value(figure) for figure in figures)
    return Part(name, found.pairs, brier, ece, excess, found.bins)


class CalibrationForm(forms.Form):
    """Always bound: without a choice the newest version."""

    rater = forms.ChoiceField(label="Version")

    def __init__(self, versions: Iterable[Rater], address: Mapping[str, str]) -> None:
        names = [version.name for version in versions]
        super().__init__({"rater": address.get("rater") or next(iter(names), "")})
        set_choices(self.fields["rater"], [(name, name) for name in names])
        self.fields["rater"].error_messages["invalid_choice"] = "No version of Lacuna's own judge is called so."

    @property
    def address(self) -> str:
        return urlencode({"rater": self.data["rater"]})


HINDSIGHT = "each judged pair as if nothing that was fitted had seen its grade (leave-one-out)"
# Of the drawing: the square, what stands left of and below it, and the largest point.
SIDE, LEFT, BELOW, EDGE, LARGEST = 320, 44, 40, 12, 11


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    radius: float
    words: str


@dataclass(frozen=True)
class Line:
    """The points of a part from left to right; `css` tells it from the other one."""

    name: str
    css: str
    points: list[Point]

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{point.x:.1f} {point.y:.1f}" for point in self.points) if self.points else ""


@dataclass(frozen=True)
class Diagram:
    """`ticks` are places along either axis with what they say."""

    lines: list[Line]
    ticks: list[tuple[float, float, str]]
    left: int = LEFT
    top: int = EDGE
    right: int = LEFT + SIDE
    bottom: int = EDGE + SIDE
    width: int = LEFT + SIDE + EDGE
    height: int = EDGE + SIDE + BELOW


def draw_diagram(found: Calibration) -> Diagram:
    most = max((each.pairs for part in found.parts for each in part.bins), default=0)
    lines = [_line(part, css, most) for part, css in zip(found.parts, ("every", "top"), strict=True)]
    ticks = [(_across(fifth / 5), _down(fifth / 5), f"{fifth / 5:.1f}") for fifth in range(6)]
    return Diagram(lines, ticks)


@dataclass(frozen=True)
class BinRow:
    part: str
    bin: Bin

    @property
    def ends(self) -> Ends:
        return Ends(self.bin.low, self.bin.high)


BIN_COLUMNS: list[Column[BinRow]] = [
    text_column("", "Pairs", "pairs of", lambda row: row.part, is_row_head=True),
    Column("", "Predicted from – to", ("from", "to"), lambda row: row.ends, "evaluation/calibration/_from_to.html", ""),
    Column("", "Number", "pairs", lambda row: row.bin.pairs),
    Column("", "Predicted", "predicted", lambda row: row.bin.predicted, "evaluation/calibration/_predicted.html"),
    Column("", "Relevant", "relevant", lambda row: row.bin.happened, number_cell()),
]
PART_COLUMNS: list[Column[Part]] = [
    text_column("", "Pairs", "pairs of", lambda part: part.name, is_row_head=True),
    Column("", "Number", "pairs", lambda part: part.pairs),
    Column("", "Brier score", "Brier score", lambda part: part.brier, number_cell(4)),
    Column("", "ECE", "ECE", lambda part: part.ece, number_cell(4)),
    Column(
        "", "Grade beyond expected", "grade beyond expected", lambda part: part.excess, number_cell(3, has_sign=True)
    ),
]


def bins_table(found: Calibration, version: str) -> DataTable[BinRow]:
    caption = f"Reliability of {version}, relevant from grade {found.relevant_from}: {HINDSIGHT}"
    rows = [BinRow(part.name, each) for part in found.parts for each in part.bins]
    return DataTable("bins", caption, BIN_COLUMNS, rows, places=3)


def parts_table(found: Calibration, version: str) -> DataTable[Part]:
    caption = f"Calibration of {version}, relevant from grade {found.relevant_from}: {HINDSIGHT}"
    return DataTable("calibration-note", caption, PART_COLUMNS, found.parts)


def reliability_figure(found: Calibration, version: str) -> Figure:
    rows: list[dict[str, object]] = [
        {"part": part.name, "predicted": each.predicted, "happened": each.happened, "n": each.pairs}
        for part in found.parts
        for each in part.bins
        if each.pairs
    ]
    relevant = f"relevant from grade {found.relevant_from}"
    return Figure(
        "reliability",
        f"Reliability of {version}",
        f"For pairs of like predicted probability ({relevant}) the share that is relevant; {HINDSIGHT}. "
        "On the diagonal probabilities mean what they say.",
        rows,
        {"x": "predicted probability", "y": "share relevant", "subtitle": f"{relevant}; leave-one-out"},
    )


def _line(part: Part, css: str, most: int) -> Line:
    points = [
        Point(
            _across(each.predicted),
            _down(each.happened),
            LARGEST * max(0.25, (each.pairs / most) ** 0.5),
            f"{part.name}: {each.pairs:,} pairs, predicted {each.predicted:.3f}, relevant {each.happened:.3f}",
        )
        for each in part.bins
        if each.predicted is not None and each.happened is not None
    ]
    return Line(part.name, css, points)


def _across(share: float) -> float:
    return LEFT + SIDE * share


def _down(share: float) -> float:
    return EDGE + SIDE * (1 - share)


FIGURE = "reliability"


@web.research_page
def show(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The version that the address names, else the newest."""
    form, version = _read_version(request, collection)
    context: dict[str, object] = {"collection": collection, "form": form, "version": version}
    if version and (found := read_calibration(version)):
        context |= {
            "found": found,
            "diagram": draw_diagram(found),
            "bins": bins_table(found, version.name),
            "parts": parts_table(found, version.name),
        }
    is_wrong = version is None and "rater" in request.GET
    return render(request, "evaluation/calibration/calibration.html", context, status=422 if is_wrong else 200)


@web.research_page
def download(request: SignedInRequest, collection: Collection, name: str, format: str) -> HttpResponse:
    """A table or the figure of a version, to keep."""
    form, version = _read_version(request, collection)
    web.valid_form(form)
    assert version is not None
    found = read_calibration(version)
    if found is None:
        raise Http404(f"{version.name} has no calibration to show.")
    if name == FIGURE and format in web.DRAWINGS:
        drawn = reliability_figure(found, version.name)
        return web.answer_figure(request, collection, drawn, f"{collection.slug}-{version.name}-{name}", format)
    tables = {"bins": bins_table(found, version.name).table, "figures": parts_table(found, version.name).table}
    if name not in tables:
        raise Http404("There is no such file of calibration.")
    return web.answer_table(tables[name], f"{collection.slug}-{version.name}-{name}", format)


def _read_version(request: SignedInRequest, collection: Collection) -> tuple[CalibrationForm, Rater | None]:
    versions = list(model_raters.list_versions(collection))
    form = CalibrationForm(versions, request.GET.dict())
    if not form.is_valid():
        return form, None
    return form, next(version for version in versions if version.name == form.cleaned_data["rater"])
