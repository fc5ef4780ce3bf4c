"""The figures of the leaderboard: the means with their intervals, and the places under two rules."""

from collections.abc import Sequence

from evaluation.engine.ranking_shift import SystemShift
from evaluation.inputs import rule_choices
from evaluation.pages.leaderboard.views.system_rows import Board
from evaluation.plots.figure import Figure

CHANCES = " A model's grades count by their probabilities."


def means(shown: Board) -> Figure:
    words = rule_choices.words(shown.board.rule)
    rows: list[dict[str, object]] = [
        {
            "system": row.system.run_tag,
            "mean": row.scores.mean.value,
            "low": row.system.interval.low if row.system.interval else None,
            "high": row.system.interval.high if row.system.interval else None,
        }
        for row in shown.rows
    ]
    return Figure(
        "means",
        f"{shown.measure} of {len(rows)} systems under {words}",
        f"A point for the mean of each system over {len(shown.board.topics)} topics, in the order of the table, and a "
        f"line for its {_interval(shown)}.{CHANCES if shown.is_by_chances else ''}",
        rows,
        {"x": shown.measure},
    )


def _interval(shown: Board) -> str:
    how = shown.how
    return (
        f"{round(100 * how.resampling.level)} % bootstrap interval over the {how.resampling.over}"
        if how
        else "interval"
    )


def bump(shown: Board) -> Figure | None:
    """None where no other rule stands beside."""
    if shown.comparison is None:
        return None
    left, right = (rule_choices.words(board.rule) for board in (shown.comparison.reference, shown.comparison.other))
    systems = shown.comparison.shift.systems
    return Figure(
        "bump",
        f"Places of {len(systems)} systems by {shown.measure}",
        f"On the left the places under {left}, on the right under {right}; a line for each system."
        f"{CHANCES if shown.is_by_chances else ''}",
        [*_side(systems, "left"), *_side(systems, "right")],
        {"left": left, "right": right},
    )


def _side(systems: Sequence[SystemShift], side: str) -> list[dict[str, object]]:
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
            "moved": _moved(system),
        }
        for row, system in enumerate(order, start=1)
    ]


def _moved(system: SystemShift) -> str:
    if not system.places_up:
        return "same"
    return "rising" if system.places_up > 0 else "falling"
