"""The calibration of a version as a table, a figure, and a drawing on the page."""

from dataclasses import dataclass

from evaluation.findings.calibration import Calibration, Part
from evaluation.plots.figure import Figure
from evaluation.tables.table import Table, cell

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


def diagram(found: Calibration) -> Diagram:
    most = max((each.pairs for part in found.parts for each in part.bins), default=0)
    lines = [_line(part, css, most) for part, css in zip(found.parts, ("every", "top"), strict=True)]
    ticks = [(_across(fifth / 5), _down(fifth / 5), f"{fifth / 5:.1f}") for fifth in range(6)]
    return Diagram(lines, ticks)


def bins(found: Calibration, version: str) -> Table:
    """A line for each bin."""
    caption = f"Reliability of {version}, relevant from grade {found.relevant_from}: {HINDSIGHT}"
    rows = tuple(
        (part.name, each.low, each.high, each.pairs, each.predicted, each.happened)
        for part in found.parts
        for each in part.bins
    )
    return Table(caption, ("pairs of", "from", "to", "pairs", "predicted", "relevant"), rows, places=3)


def figures(found: Calibration, version: str) -> Table:
    """A line for each part."""
    caption = f"Calibration of {version}, relevant from grade {found.relevant_from}: {HINDSIGHT}"
    rows = tuple((part.name, part.pairs, *map(cell, (part.brier, part.ece, part.excess))) for part in found.parts)
    return Table(caption, ("pairs of", "pairs", "Brier score", "ECE", "grade beyond expected"), rows, places=4)


def figure(found: Calibration, version: str) -> Figure:
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
