"""The tables of the leaderboard: systems, places, one system by topic, what another rule changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.agreement.value import Value, share, undefined
from evaluation.engine.ranking_shift import SystemShift
from evaluation.engine.scoring import MeasureScores, RangeScores
from evaluation.findings.leaderboard.comparisons import ChangedPair, Changes, Comparison, CorrelationJson
from evaluation.findings.leaderboard.scores import Leaderboard, SystemScores, TopicScore
from evaluation.inputs import choices
from evaluation.statistics.bootstrap import Interval, IntervalJson
from evaluation.statistics.system_pairs import CLASSES
from evaluation.tables.table import Column, Content, DataTable, Ends, Table, Writer, make_table, text_column
from evaluation.templatetags.findings import interval_cell, number_cell, p_value_cell, share_cell, words_cell


@dataclass(frozen=True)
class Scored:
    """A system under one rule, by the measure of the board."""

    system: SystemScores
    scores: MeasureScores

    @property
    def ends(self) -> Ends | None:
        found = self.system.interval
        return Ends(found.low, found.high, found.reason) if found else None


@dataclass(frozen=True)
class SystemRow:
    """A system, and where it stands under the other rule."""

    own: Scored
    other: Scored | None = None

    @property
    def places_up(self) -> int:
        """How many places higher it stands under the other rule; below 0 it fell."""
        place, other = self.own.system.place, self.other.system.place if self.other else None
        return 0 if place is None or other is None else place - other

    @property
    def places_down(self) -> int:
        return -self.places_up


@dataclass(frozen=True, eq=False)
class Board:
    """All that a leaderboard shows: the systems of `board` whose tag or group has the text `find`, with `comparison`
    where another rule stands beside."""

    board: Leaderboard
    comparison: Comparison | None
    find: str
    sort: str

    @property
    def measure(self) -> str:
        return self.board.measures[0]

    @property
    def has_groups(self) -> bool:
        return any(system.group for system in self.board.systems)

    @property
    def is_by_probabilities(self) -> bool:
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

    @cached_property
    def systems(self) -> DataTable[SystemRow]:
        """In the order that is asked for."""
        other = _scored(self.comparison.other) if self.comparison else {}
        rows = [SystemRow(scored, other.get(run_tag)) for run_tag, scored in _scored(self.board).items()]
        columns = system_columns(
            self.measure,
            self.board.judged_measure,
            has_groups=self.has_groups,
            has_range=self.holes is not None,
            is_compared=self.comparison is not None,
        )
        named = [row for row in rows if _is_named(row, self.find)]
        return DataTable("systems-note", self._caption, columns, named, self.sort)

    @property
    def _caption(self) -> str:
        topics, rule = len(self.board.topics), choices.describe_rule(self.board.rule)
        caption = f"{self.measure} over {topics} topics under {rule}"
        if self.comparison:
            caption += f"; B is {choices.describe_rule(self.comparison.other.rule)}"
        if self.is_by_probabilities:
            caption += "; a model's grades count by their probabilities"
        if self.how:
            caption += f". low and high: {_describe_resampling(self.how.as_json())}."
        return caption


def system_columns(
    measure: str = "", judged: str = "", *, has_groups: bool = True, has_range: bool = True, is_compared: bool = True
) -> list[Column[SystemRow]]:
    """By default all that there may be."""
    template, group = "evaluation/leaderboard/_system.html", "Group" if has_groups else ""
    columns: list[Column[SystemRow]] = [
        Column("place", "Place", "place", lambda row: row.own.system.place, is_rising=True),
        text_column("system", "System", "system", lambda row: row.own.system.run_tag, template, is_row_head=True),
        text_column("group", group, "group", lambda row: row.own.system.group, css="muted"),
        *_score_columns(measure, judged, lambda row: row.own),
    ]
    if has_range:
        columns[5:5] = [
            Column("at_lowest", "Holes lowest", "holes at lowest", _mean_at_lowest, words_cell(4)),
            Column("at_highest", "Holes highest", "holes at highest", _mean_at_highest, words_cell(4)),
        ]
    return columns + _other_columns(measure, judged) if is_compared else columns


def _other_columns(measure: str, judged: str) -> list[Column[SystemRow]]:
    def place(row: SystemRow) -> int | None:
        return row.other.system.place if row.other else None

    return [
        Column("other_place", "Place", "place under B", place, css="num beside", is_rising=True),
        Column("moved", "Moved", "", lambda row: row.places_up, "evaluation/leaderboard/_moved.html", css="nowrap"),
        *_score_columns(measure, judged, lambda row: row.other, "other_", " under B"),
    ]


def _score_columns(
    measure: str, judged: str, side: Callable[[SystemRow], Scored | None], prefix: str = "", suffix: str = ""
) -> list[Column[SystemRow]]:
    """What a board says of systems under one rule."""

    def column(
        name: str, head: str, labels: tuple[str, ...], value: Callable[[Scored], Content], cell: Writer
    ) -> Column[SystemRow]:
        def of_side(row: SystemRow) -> Content:
            scored = side(row)
            return None if scored is None else value(scored)

        return Column(prefix + name, head, tuple(label + suffix for label in labels), of_side, cell)

    gains = ("share of gains from models",)
    return [
        column("mean", measure, (measure,), lambda scored: scored.scores.mean, words_cell(4)),
        column("low", "95 % interval", ("low", "high"), lambda scored: scored.ends, interval_cell),
        column("judged", judged, (judged,), lambda scored: scored.system.judged, words_cell(3)),
        column("models", "Gains from models", gains, lambda scored: scored.system.model_gains, share_cell),
    ]


def _scored(board: Leaderboard) -> dict[str, Scored]:
    return {system.run_tag: Scored(system, system.by_measure[board.measures[0]]) for system in board.systems}


def _is_named(row: SystemRow, text: str) -> bool:
    system = row.own.system
    return text.casefold() in system.run_tag.casefold() or text.casefold() in system.group.casefold()


def _mean_at_lowest(row: SystemRow) -> Value | None:
    return row.own.scores.range.mean_at_lowest if row.own.scores.range else None


def _mean_at_highest(row: SystemRow) -> Value | None:
    return row.own.scores.range.mean_at_highest if row.own.scores.range else None


def _describe_resampling(how: IntervalJson) -> str:
    level = f"{round(100 * how['level'])} % bootstrap interval over the {how['over']}"
    return f"{level}, {how['resamples']} resamples, seed {how['seed']}"


def places_table(comparison: Comparison) -> Table:
    """Where each system stands under both rules, the best under the first on top; of a figure, on no page."""
    a, b = (choices.describe_rule(board.rule) for board in (comparison.reference, comparison.other))
    columns: list[Column[SystemShift]] = [
        Column("", "", "system", lambda row: row.run_tag),
        Column("", "", "place", lambda row: row.reference_place),
        Column("", "", comparison.measure, lambda row: row.reference_mean),
        Column("", "", "place under B", lambda row: row.other_place),
        Column("", "", f"{comparison.measure} under B", lambda row: row.other_mean),
        Column("", "", "places up", lambda row: row.places_up),
    ]
    rows = sorted(comparison.shift.systems, key=lambda system: (system.reference_place, system.run_tag))
    caption = f"Places of {len(rows)} systems by {comparison.measure} under {a} and under {b} (B)"
    return make_table(caption, columns, rows)


def topic_columns(measure: str = "", other_words: str = "other") -> list[Column[TopicScore]]:
    """Of one system; without words for the other rule a page has nothing of it."""
    template, median = "evaluation/leaderboard/_topic.html", "Median of all systems"
    under, difference = (f"Under {other_words}", "Difference") if other_words else ("", "")
    return [
        text_column("topic", "Topic", "topic", lambda row: row.query_id, template, is_row_head=True),
        Column("", "", "text", lambda row: row.text),
        Column("value", measure, measure, lambda row: row.value, number_cell(4)),
        Column("median", median, median.lower(), lambda row: row.median, number_cell(4)),
        Column("other_value", under, "under B", lambda row: row.other_value, number_cell(4), css="num beside"),
        Column("difference", difference, "difference", lambda row: row.difference, number_cell(4)),
    ]


CORRELATION_NAMES = {
    "tau_b": "Kendall’s tau-b",
    "tau_ap": "tau-AP, the top weighs most",
    "tau_a": "tau-a, a tie is no agreement",
    "gamma": "gamma, ties dropped",
    "spearman": "Spearman’s rho of the places",
}
SIGNIFICANCE = {"A": "both (active)", "M": "one (mixed)", "P": "none (passive)"}
ORDER = {"A": "same", "D": "other"}


@dataclass(frozen=True)
class CorrelationRow:
    name: str
    value: Value
    interval: CorrelationJson

    @property
    def ends(self) -> Ends:
        return Ends(self.interval["low"], self.interval["high"], self.interval.get("reason", ""))


@dataclass(frozen=True)
class ClassRow:
    """How many pairs of systems are of a class, and which share of all that is."""

    name: str
    pairs: int
    share: Value


@dataclass(frozen=True, eq=False)
class ChangeTables:
    """`how` says how the intervals of the correlations were computed."""

    correlations: DataTable[CorrelationRow]
    classes: DataTable[ClassRow]
    pairs: DataTable[ChangedPair]
    how: IntervalJson


CORRELATION_COLUMNS: list[Column[CorrelationRow]] = [
    text_column("", "Correlation", "correlation", lambda row: row.name, is_row_head=True),
    Column("correlation", "Value", "value", lambda row: row.value, number_cell()),
    Column("correlation_low", "95 % interval", ("low", "high"), lambda row: row.ends, "evaluation/_interval.html"),
]
CLASS_COLUMNS: list[Column[ClassRow]] = [
    text_column("class", "Class", "class", lambda row: row.name, is_row_head=True),
    text_column("", "Significant under", "significant under", lambda row: SIGNIFICANCE[row.name[0]]),
    text_column("", "Order", "order", lambda row: ORDER[row.name[1]]),
    Column("pairs", "Pairs", "pairs", lambda row: row.pairs),
    Column("", "Share", "share of pairs", lambda row: row.share, share_cell),
]


def pair_columns(other_words: str = "", reason: str = "") -> list[Column[ChangedPair]]:
    """Of two systems whose significance changes; `reason` says why pairs were not tested."""
    under, label = f"Difference under {other_words}", "difference under B"

    def value(number: float | None) -> Value:
        return undefined(reason) if number is None else Value(number)

    return [
        text_column("first", "First system", "first", lambda row: row["first"], is_row_head=True),
        text_column("second", "Second system", "second", lambda row: row["second"]),
        text_column("pair_class", "Class", "class", lambda row: row["class"]),
        Column("difference_a", "Difference", "difference", lambda row: row["difference_a"], number_cell(4)),
        Column("p_a", "p", "p", lambda row: value(row["p_a"]), p_value_cell, is_rising=True),
        Column("difference_b", under, label, lambda row: row["difference_b"], number_cell(4), css="num beside"),
        Column("p_b", "p", "p under B", lambda row: value(row["p_b"]), p_value_cell, is_rising=True),
    ]


def show_changes(found: Changes, sort: str, measure: str, rule_words: str, other_words: str) -> ChangeTables:
    """The three tables of a finding; the one that has the column is in its order, the others as they were found."""
    how = found["correlations"]["tau_b"]
    between = f"by {measure} from {rule_words} to {other_words} (B)"
    drawn = f"low and high: {_describe_resampling(how)}."
    captions = (
        f"Rank correlation of the systems {between}. {drawn}",
        f"Pairs of systems by what becomes of their difference {between}, Tukey HSD",
        f"Pairs of systems whose significance changes {between}, Tukey HSD",
    )
    return ChangeTables(
        DataTable("correlations-note", captions[0], CORRELATION_COLUMNS, _correlation_rows(found), sort, places=3),
        DataTable("classes-note", captions[1], CLASS_COLUMNS, _class_rows(found), sort, places=3),
        DataTable("pairs-note", captions[2], pair_columns(other_words, found["reason"]), found["changed"], sort),
        how,
    )


def _correlation_rows(found: Changes) -> Sequence[CorrelationRow]:
    each = found["correlations"]
    return [
        CorrelationRow(words, Value(each[name]["value"], each[name]["value_reason"]), each[name])
        for name, words in CORRELATION_NAMES.items()
    ]


def _class_rows(found: Changes) -> Sequence[ClassRow]:
    counts, pairs = found["classes"], found["pairs"]
    return [ClassRow(name, counts[name], share(counts[name], pairs, "fewer than two systems")) for name in CLASSES]
