"""The figures of the leaderboard: the means with their intervals, and the places under two rules (also on the page)."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.engine.ranking_shift import SystemShift
from evaluation.findings.leaderboard.comparisons import Comparison
from evaluation.inputs import choices
from evaluation.pages.leaderboard.tables import Board
from evaluation.plots.figure import Figure

ROW_HEIGHT = 22
HEAD_HEIGHT = 34
WIDTH = 760
LEFT, RIGHT = 270, 490
LONGEST_TAG = 26


@dataclass(frozen=True)
class BumpLine:
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
class BumpChart:
    """Tied systems share a place and stand one below the other, by their tags."""

    lines: list[BumpLine]
    height: int
    width: int = WIDTH
    left: int = LEFT
    right: int = RIGHT


def draw_bump_chart(comparison: Comparison) -> BumpChart:
    systems = sorted(comparison.shift.systems, key=lambda system: (system.reference_place, system.run_tag))
    others = sorted(systems, key=lambda system: (system.other_place, system.run_tag))
    rows = {system.run_tag: row for row, system in enumerate(others)}
    lines = [_bump_line(system, row, rows[system.run_tag]) for row, system in enumerate(systems)]
    return BumpChart(lines, height=HEAD_HEIGHT + ROW_HEIGHT * len(lines))


def _bump_line(system: SystemShift, left: int, right: int) -> BumpLine:
    up = system.places_up
    tag = system.run_tag if len(system.run_tag) <= LONGEST_TAG else system.run_tag[: LONGEST_TAG - 1] + "…"
    direction = "up" if up > 0 else "down" if up < 0 else "same"
    return BumpLine(system, tag, _height(left), _height(right), direction)


def _height(row: int) -> int:
    return HEAD_HEIGHT + ROW_HEIGHT * row + ROW_HEIGHT // 2


BY_PROBABILITIES = " A model's grades count by their probabilities."


def means_figure(shown: Board) -> Figure:
    words = choices.describe_rule(shown.board.rule)
    rows: list[dict[str, object]] = [
        {
            "system": row.own.system.run_tag,
            "mean": row.own.scores.mean.value,
            "low": row.own.ends and row.own.ends.low,
            "high": row.own.ends and row.own.ends.high,
        }
        for row in shown.systems.rows
    ]
    return Figure(
        "means",
        f"{shown.measure} of {len(rows)} systems under {words}",
        f"A point for the mean of each system over {len(shown.board.topics)} topics, in the order of the table, and a "
        f"line for its {_interval_words(shown)}.{BY_PROBABILITIES if shown.is_by_probabilities else ''}",
        rows,
        {"x": shown.measure},
    )


def _interval_words(shown: Board) -> str:
    how = shown.how
    return (
        f"{round(100 * how.resampling.level)} % bootstrap interval over the {how.resampling.over}"
        if how
        else "interval"
    )


def bump_figure(shown: Board) -> Figure | None:
    """None where no other rule stands beside."""
    if shown.comparison is None:
        return None
    left, right = (choices.describe_rule(board.rule) for board in (shown.comparison.reference, shown.comparison.other))
    systems = shown.comparison.shift.systems
    return Figure(
        "bump",
        f"Places of {len(systems)} systems by {shown.measure}",
        f"On the left the places under {left}, on the right under {right}; a line for each system."
        f"{BY_PROBABILITIES if shown.is_by_probabilities else ''}",
        [*_bump_rows(systems, "left"), *_bump_rows(systems, "right")],
        {"left": left, "right": right},
    )


def _bump_rows(systems: Sequence[SystemShift], side: str) -> list[dict[str, object]]:
    places = {system.run_tag: system.reference_place if side == "left" else system.other_place for system in systems}
    order = sorted(systems, key=lambda system: (places[system.run_tag], system.run_tag))
    return [
        {
            "system": system.run_tag,
            "side": side,
            "row": row,
            "text": f"{system.run_tag}  {places[system.run_tag]}"
            if side == "left"
            else f"{places[system.run_tag]}  {system.run_tag}",
            "moved": _direction(system),
        }
        for row, system in enumerate(order, start=1)
    ]


def _direction(system: SystemShift) -> str:
    if not system.places_up:
        return "same"
    return "rising" if system.places_up > 0 else "falling"
