"""The tables of the leaderboard, to be downloaded."""

from collections.abc import Mapping
from typing import Any

from evaluation.agreement.value import undefined
from evaluation.findings.leaderboard.comparisons import Comparison
from evaluation.inputs import rule_choices
from evaluation.pages.leaderboard.views.change_rows import Changes
from evaluation.pages.leaderboard.views.system_rows import Board, Row
from evaluation.statistics.bootstrap import Interval
from evaluation.tables.table import Cell, Table, cell


def systems(shown: Board) -> Table:
    """What the page shows, in its order."""
    board, comparison = shown.board, shown.comparison
    columns = ["place", "system", "group", shown.measure, "low", "high"]
    if shown.holes:
        columns += ["holes at lowest", "holes at highest"]
    columns += [board.judged_measure, "share of gains from models"]
    caption = f"{shown.measure} over {len(board.topics)} topics under {rule_choices.words(board.rule)}"
    if comparison:
        columns += [f"{name} under B" for name in ("place", shown.measure, "low", "high", board.judged_measure)]
        columns.append("share of gains from models under B")
        caption += f"; B is {rule_choices.words(comparison.other.rule)}"
    if shown.is_by_chances:
        caption += "; a model's grades count by their probabilities"
    if shown.how:
        caption += f". low and high: {_drawn(shown.how.as_json())}."
    return Table(caption, tuple(columns), tuple(_row(row, shown) for row in shown.rows))


def places(comparison: Comparison) -> Table:
    """Where each system stands under both rules, the best under the first on top."""
    a, b = (rule_choices.words(board.rule) for board in (comparison.reference, comparison.other))
    rows = sorted(comparison.shift.systems, key=lambda system: (system.reference_place, system.run_tag))
    return Table(
        f"Places of {len(rows)} systems by {comparison.measure} under {a} and under {b} (B)",
        ("system", "place", comparison.measure, "place under B", f"{comparison.measure} under B", "places up"),
        tuple(
            (
                row.run_tag,
                row.reference_place,
                row.reference_mean,
                row.other_place,
                row.other_mean,
                row.places_up,
            )
            for row in rows
        ),
    )


def correlations(changes: Changes, words: str) -> Table:
    """The correlations of the two rankings with their intervals."""
    columns = ("correlation", "value", "low", "high")
    rows = tuple((row.name, cell(row.value), *_ends(row.interval)) for row in changes.correlations)
    caption = f"Rank correlation of the systems {words}. low and high: {_drawn(changes.how)}."
    return Table(caption, columns, rows, places=3)


def classes(changes: Changes, words: str) -> Table:
    """How many pairs of systems are of each class."""
    columns = ("class", "significant under", "order", "pairs", "share of pairs")
    rows = tuple((row.name, row.significant, row.order, row.pairs, cell(row.share)) for row in changes.classes)
    return Table(f"Pairs of systems by what becomes of their difference {words}, Tukey HSD", columns, rows, places=3)


def pairs(changes: Changes, words: str) -> Table:
    """The pairs of systems whose significance or order changed."""
    columns = ("first", "second", "class", "difference", "p", "difference under B", "p under B")
    rows = tuple(
        (row.first, row.second, row.name, row.difference_a, cell(row.p_a), row.difference_b, cell(row.p_b))
        for row in changes.changed
    )
    return Table(f"Pairs of systems whose significance changes {words}, Tukey HSD", columns, rows)


def _row(row: Row, shown: Board) -> tuple[Cell, ...]:
    system = row.system
    cells: list[Cell] = [system.place, system.run_tag, system.group, cell(row.scores.mean), *_interval(system.interval)]
    if row.scores.range:
        cells += [cell(row.scores.range.mean_at_lowest), cell(row.scores.range.mean_at_highest)]
    cells += [cell(system.judged), cell(system.model_gains)]
    if row.other and row.other_scores:
        cells += [row.other.place, cell(row.other_scores.mean), *_interval(row.other.interval)]
        cells += [cell(row.other.judged), cell(row.other.model_gains)]
    return tuple(cells)


def _interval(interval: Interval | None) -> tuple[Cell, Cell]:
    return _ends(interval.as_json()) if interval else (None, None)


def _ends(told: Mapping[str, Any]) -> tuple[Cell, Cell]:
    """From low to high, of what `Interval.as_json` tells; where there is no interval, the reason in both."""
    if told["low"] is None:
        return (reason := cell(undefined(told["reason"]))), reason
    return told["low"], told["high"]


def _drawn(how: Mapping[str, Any]) -> str:
    level = f"{round(100 * how['level'])} % bootstrap interval over the {how['over']}"
    return f"{level}, {how['resamples']} resamples, seed {how['seed']}"
