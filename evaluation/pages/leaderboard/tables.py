"""The tables of the leaderboard: systems, places, and what another rule changes between systems."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from annotate.models import Collection
from evaluation.agreement.value import Value, undefined
from evaluation.engine.scoring import MeasureScores, RangeScores
from evaluation.findings.leaderboard import comparisons
from evaluation.findings.leaderboard import scores as leaderboard_scores
from evaluation.findings.leaderboard.comparisons import Comparison
from evaluation.findings.leaderboard.scores import Leaderboard, SystemScores
from evaluation.inputs import choices
from evaluation.pages.leaderboard.forms import LeaderboardForm
from evaluation.statistics.bootstrap import Interval
from evaluation.statistics.system_pairs import CLASSES
from evaluation.tables import table
from evaluation.tables.table import Cell, Table, value_cell


@dataclass(frozen=True)
class SystemRow:
    """A line of the table: a system, and where it stands under the other rule."""

    system: SystemScores
    scores: MeasureScores
    other: SystemScores | None = None
    other_scores: MeasureScores | None = None

    @property
    def places_up(self) -> int:
        """How many places higher it stands under the other rule; below 0 it fell."""
        if self.other is None or self.other.place is None or self.system.place is None:
            return 0
        return self.system.place - self.other.place

    @property
    def places_down(self) -> int:
        return -self.places_up


@dataclass(frozen=True, eq=False)
class Board:
    """All that a leaderboard shows: `rows` of `board`, with `comparison` where another rule stands beside."""

    board: Leaderboard
    comparison: Comparison | None
    rows: list[SystemRow]

    @property
    def measure(self) -> str:
        return self.board.measures[0]

    @property
    def is_by_chances(self) -> bool:
        """Whether grades of a model count by their probabilities, on either side."""
        return bool(self.board.by_chances or (self.comparison and self.comparison.other.by_chances))

    @property
    def how(self) -> Interval | None:
        """The interval of one system, which tells how all were drawn; None where there are none."""
        return self.board.systems[0].interval if self.board.systems else None

    @property
    def holes(self) -> RangeScores | None:
        """Of the first system; that of all has the same name."""
        return self.board.systems[0].by_measure[self.measure].range if self.board.systems else None


SYSTEM_VALUES: dict[str, Callable[[SystemRow], Any]] = {
    "place": lambda row: row.system.place,
    "system": lambda row: row.system.run_tag,
    "group": lambda row: row.system.group,
    "mean": lambda row: row.scores.mean.value,
    "low": lambda row: row.system.interval and row.system.interval.low,
    "at_lowest": lambda row: row.scores.range and row.scores.range.mean_at_lowest.value,
    "at_highest": lambda row: row.scores.range and row.scores.range.mean_at_highest.value,
    "judged": lambda row: row.system.judged.value,
    "models": lambda row: row.system.model_gains.value,
    "other_place": lambda row: row.other and row.other.place,
    "moved": lambda row: row.places_up if row.other else None,
    "other_mean": lambda row: row.other_scores and row.other_scores.mean.value,
    "other_low": lambda row: row.other and row.other.interval and row.other.interval.low,
    "other_judged": lambda row: row.other and row.other.judged.value,
    "other_models": lambda row: row.other and row.other.model_gains.value,
}
RISING_SYSTEMS = ("place", "system", "group", "other_place")


def load_board(collection: Collection, form: LeaderboardForm) -> Board:
    """The leaderboard that a valid form asks for."""
    said = form.cleaned_data
    board, comparison = rank_boards(collection, form)
    if comparison:
        rows = _compared_rows(comparison)
    else:
        rows = [SystemRow(system, system.by_measure[board.measures[0]]) for system in board.systems]
    found = [row for row in rows if _is_named(row, said["find"])]
    return Board(board, comparison, table.sort_rows(found, said["sort"], SYSTEM_VALUES))


def rank_boards(collection: Collection, form: LeaderboardForm) -> tuple[Leaderboard, Comparison | None]:
    """The leaderboard under the first rule, on the topics of both where another stands beside."""
    said = form.cleaned_data
    name = str(said["measure"])
    counting = {"with_chances": form.with_chances, "with_ranges": form.with_ranges}
    if said["other"]:
        comparison = comparisons.compare_rules(collection, said["rule"], said["other"], name, **counting)
        return comparison.reference, comparison
    return leaderboard_scores.compute_leaderboard(collection, said["rule"], [name], **counting), None


def _compared_rows(comparison: Comparison) -> list[SystemRow]:
    others = {system.run_tag: system for system in comparison.other.systems}
    name = comparison.measure
    return [
        SystemRow(system, system.by_measure[name], others[system.run_tag], others[system.run_tag].by_measure[name])
        for system in comparison.reference.systems
    ]


def _is_named(row: SystemRow, text: str) -> bool:
    return text.casefold() in row.system.run_tag.casefold() or text.casefold() in row.system.group.casefold()


Told = dict[str, Any]

CORRELATION_NAMES = {
    "tau_b": "Kendall’s tau-b",
    "tau_ap": "tau-AP, the top weighs most",
    "tau_a": "tau-a, a tie is no agreement",
    "gamma": "gamma, ties dropped",
    "spearman": "Spearman’s rho of the places",
}
CLASS_SIGNIFICANCE = {"A": "both (active)", "M": "one (mixed)", "P": "none (passive)"}
CLASS_ORDER = {"A": "same", "D": "other"}


@dataclass(frozen=True)
class CorrelationRow:
    """A correlation in words; `interval` is what `bootstrap.Interval.as_json` tells."""

    name: str
    value: Value
    interval: Told


@dataclass(frozen=True)
class ClassRow:
    """How many pairs of systems are of a class, and which share of all that is."""

    name: str
    significant: str
    order: str
    pairs: int
    share: Value


@dataclass(frozen=True)
class PairRow:
    """Two systems whose significance changes, with the name of their class; a is the first rule, b the other."""

    first: str
    second: str
    name: str
    difference_a: float
    p_a: Value
    difference_b: float
    p_b: Value


@dataclass(frozen=True)
class Changes:
    """`how` tells how the intervals were drawn; `changed` are all pairs that changed."""

    correlations: list[CorrelationRow]
    classes: list[ClassRow]
    changed: list[PairRow]
    how: Told


CORRELATION_VALUES: dict[str, Callable[[CorrelationRow], Any]] = {
    "correlation": lambda row: row.value.value,
    "correlation_low": lambda row: row.interval["low"],
}
CLASS_VALUES: dict[str, Callable[[ClassRow], Any]] = {"class": lambda row: row.name, "pairs": lambda row: row.pairs}
PAIR_VALUES: dict[str, Callable[[PairRow], Any]] = {
    "first": lambda pair: pair.first,
    "second": lambda pair: pair.second,
    "pair_class": lambda pair: pair.name,
    "difference_a": lambda pair: pair.difference_a,
    "p_a": lambda pair: pair.p_a.value,
    "difference_b": lambda pair: pair.difference_b,
    "p_b": lambda pair: pair.p_b.value,
}
RISING_CHANGES = ("class", "first", "second", "pair_class", "p_a", "p_b")


def read_changes(told: Told, sort: str) -> Changes:
    """The three tables of a finding; the one that has the column is in its order, the others as they were found."""
    return Changes(
        table.sort_rows(_correlation_rows(told), sort, CORRELATION_VALUES),
        table.sort_rows(_class_rows(told), sort, CLASS_VALUES),
        table.sort_rows(_pair_rows(told), sort, PAIR_VALUES),
        told["correlations"]["tau_b"],
    )


def _correlation_rows(told: Told) -> list[CorrelationRow]:
    found = told["correlations"]
    return [
        CorrelationRow(words, Value(found[name]["value"], found[name]["value_reason"]), found[name])
        for name, words in CORRELATION_NAMES.items()
    ]


def _class_rows(told: Told) -> list[ClassRow]:
    counts, pairs = told["classes"], told["pairs"]
    return [
        ClassRow(
            name,
            CLASS_SIGNIFICANCE[name[0]],
            CLASS_ORDER[name[1]],
            counts[name],
            Value(counts[name] / pairs) if pairs else undefined("fewer than two systems"),
        )
        for name in CLASSES
    ]


def _pair_rows(told: Told) -> list[PairRow]:
    def p(number: float | None) -> Value:
        return undefined(told["reason"]) if number is None else Value(number)

    return [
        PairRow(
            pair["first"],
            pair["second"],
            pair["class"],
            pair["difference_a"],
            p(pair["p_a"]),
            pair["difference_b"],
            p(pair["p_b"]),
        )
        for pair in told["changed"]
    ]


def systems_table(shown: Board) -> Table:
    """What the page shows, in its order."""
    board, comparison = shown.board, shown.comparison
    columns = ["place", "system", "group", shown.measure, "low", "high"]
    if shown.holes:
        columns += ["holes at lowest", "holes at highest"]
    columns += [board.judged_measure, "share of gains from models"]
    caption = f"{shown.measure} over {len(board.topics)} topics under {choices.describe_rule(board.rule)}"
    if comparison:
        columns += [f"{name} under B" for name in ("place", shown.measure, "low", "high", board.judged_measure)]
        columns.append("share of gains from models under B")
        caption += f"; B is {choices.describe_rule(comparison.other.rule)}"
    if shown.is_by_chances:
        caption += "; a model's grades count by their probabilities"
    if shown.how:
        caption += f". low and high: {_describe_resampling(shown.how.as_json())}."
    return Table(caption, tuple(columns), tuple(_system_cells(row, shown) for row in shown.rows))


def places_table(comparison: Comparison) -> Table:
    """Where each system stands under both rules, the best under the first on top."""
    a, b = (choices.describe_rule(board.rule) for board in (comparison.reference, comparison.other))
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


def correlations_table(changes: Changes, words: str) -> Table:
    """The correlations of the two rankings with their intervals."""
    columns = ("correlation", "value", "low", "high")
    rows = tuple((row.name, value_cell(row.value), *_end_cells(row.interval)) for row in changes.correlations)
    caption = f"Rank correlation of the systems {words}. low and high: {_describe_resampling(changes.how)}."
    return Table(caption, columns, rows, places=3)


def classes_table(changes: Changes, words: str) -> Table:
    """How many pairs of systems are of each class."""
    columns = ("class", "significant under", "order", "pairs", "share of pairs")
    rows = tuple((row.name, row.significant, row.order, row.pairs, value_cell(row.share)) for row in changes.classes)
    return Table(f"Pairs of systems by what becomes of their difference {words}, Tukey HSD", columns, rows, places=3)


def pairs_table(changes: Changes, words: str) -> Table:
    """The pairs of systems whose significance or order changed."""
    columns = ("first", "second", "class", "difference", "p", "difference under B", "p under B")
    rows = tuple(
        (row.first, row.second, row.name, row.difference_a, value_cell(row.p_a), row.difference_b, value_cell(row.p_b))
        for row in changes.changed
    )
    return Table(f"Pairs of systems whose significance changes {words}, Tukey HSD", columns, rows)


def _system_cells(row: SystemRow, shown: Board) -> tuple[Cell, ...]:
    system = row.system
    cells: list[Cell] = [
        system.place,
        system.run_tag,
        system.group,
        value_cell(row.scores.mean),
        *_interval_cells(system.interval),
    ]
    if row.scores.range:
        cells += [value_cell(row.scores.range.mean_at_lowest), value_cell(row.scores.range.mean_at_highest)]
    cells += [value_cell(system.judged), value_cell(system.model_gains)]
    if row.other and row.other_scores:
        cells += [row.other.place, value_cell(row.other_scores.mean), *_interval_cells(row.other.interval)]
        cells += [value_cell(row.other.judged), value_cell(row.other.model_gains)]
    return tuple(cells)


def _interval_cells(interval: Interval | None) -> tuple[Cell, Cell]:
    return _end_cells(interval.as_json()) if interval else (None, None)


def _end_cells(told: Mapping[str, Any]) -> tuple[Cell, Cell]:
    """From low to high, of what `Interval.as_json` tells; where there is no interval, the reason in both."""
    if told["low"] is None:
        return (reason := value_cell(undefined(told["reason"]))), reason
    return told["low"], told["high"]


def _describe_resampling(how: Mapping[str, Any]) -> str:
    level = f"{round(100 * how['level'])} % bootstrap interval over the {how['over']}"
    return f"{level}, {how['resamples']} resamples, seed {how['seed']}"
