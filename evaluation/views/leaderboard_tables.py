"""The tables of the leaderboard, to be downloaded."""

from evaluation.queries import rule_choices
from evaluation.tables.table import Cell, Table, cell
from evaluation.views.system_rows import Board, Row


def systems(shown: Board) -> Table:
    """What the page shows, in its order."""
    board, comparison = shown.board, shown.comparison
    columns = ["place", "system", "group", shown.measure, "low", "high"]
    if shown.holes:
        columns += ["holes at lowest", "holes at highest"]
    columns += ["Judged@10", "share of gains from models"]
    caption = f"{shown.measure} over {len(board.topics)} topics under {rule_choices.words(board.rule)}"
    if comparison:
        columns += [f"{name} under B" for name in ("place", shown.measure, "low", "high", "Judged@10")]
        columns.append("share of gains from models under B")
        caption += f"; B is {rule_choices.words(comparison.other.rule)}"
    caption += ". low and high: 95 % bootstrap interval over the topics."
    return Table(caption, tuple(columns), tuple(_row(row, shown) for row in shown.rows))


def pairs(told: dict, caption: str) -> Table:  # type: ignore[type-arg]
    """The pairs of systems whose significance or order changed, of a finding of `system_changes`."""
    columns = ("first", "second", "class", "difference", "p", "difference under B", "p under B")
    names = ("first", "second", "class", "difference_a", "p_a", "difference_b", "p_b")
    return Table(caption, columns, tuple(tuple(pair[name] for name in names) for pair in told["changed"]))


def _row(row: Row, shown: Board) -> tuple[Cell, ...]:
    system = row.system
    cells: list[Cell] = [system.place, system.run_tag, system.group, cell(row.scores.mean), *_interval(system.interval)]
    if row.scores.range:
        cells += [cell(row.scores.range.mean_at_lowest), cell(row.scores.range.mean_at_highest)]
    cells += [cell(system.judged), system.model_gains.value]
    if row.other and row.other_scores:
        cells += [row.other.place, cell(row.other_scores.mean), *_interval(row.other.interval)]
        cells += [cell(row.other.judged), row.other.model_gains.value]
    return tuple(cells)


def _interval(interval) -> tuple[Cell, Cell]:  # type: ignore[no-untyped-def]
    return (interval.low, interval.high) if interval else (None, None)
