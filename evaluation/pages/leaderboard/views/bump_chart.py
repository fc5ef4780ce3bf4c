"""The bump chart of two rankings: a line for each system from its place on the left to its place on the right."""

from dataclasses import dataclass

from evaluation.engine.ranking_shift import SystemShift
from evaluation.findings.leaderboard.comparisons import Comparison

ROW = 22
HEAD = 34
WIDTH = 760
LEFT, RIGHT = 270, 490
LONGEST_TAG = 26


@dataclass(frozen=True)
class Line:
    """One system; `left` and `right` are heights in the drawing, `direction` is up, down or same."""

    system: SystemShift
    tag: str
    left: int
    right: int
    direction: str

    @property
    def path(self) -> str:
        """From left to right, level at both ends."""
        middle = (LEFT + RIGHT) // 2
        return f"M{LEFT} {self.left}C{middle} {self.left} {middle} {self.right} {RIGHT} {self.right}"


@dataclass(frozen=True)
class Chart:
    """Tied systems share a place and stand one below the other, by their tags."""

    lines: list[Line]
    height: int
    width: int = WIDTH
    left: int = LEFT
    right: int = RIGHT


def draw(comparison: Comparison) -> Chart:
    systems = sorted(comparison.shift.systems, key=lambda system: (system.reference_place, system.run_tag))
    others = sorted(systems, key=lambda system: (system.other_place, system.run_tag))
    rows = {system.run_tag: row for row, system in enumerate(others)}
    lines = [_line(system, row, rows[system.run_tag]) for row, system in enumerate(systems)]
    return Chart(lines, height=HEAD + ROW * len(lines))


def _line(system: SystemShift, left: int, right: int) -> Line:
    up = system.places_up
    tag = system.run_tag if len(system.run_tag) <= LONGEST_TAG else system.run_tag[: LONGEST_TAG - 1] + "…"
    direction = "up" if up > 0 else "down" if up < 0 else "same"
    return Line(system, tag, _height(left), _height(right), direction)


def _height(row: int) -> int:
    return HEAD + ROW * row + ROW // 2
