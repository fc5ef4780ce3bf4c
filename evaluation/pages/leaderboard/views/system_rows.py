"""The rows of the leaderboard: which systems, in which order, and where they stand under the other rule."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotate.models import Collection
from evaluation.engine.scoring import MeasureScores, RangeScores
from evaluation.findings.leaderboard import comparisons, scores
from evaluation.findings.leaderboard.comparisons import Comparison
from evaluation.findings.leaderboard.scores import Leaderboard, SystemScores
from evaluation.pages.leaderboard.forms import LeaderboardForm
from evaluation.statistics.bootstrap import Interval
from evaluation.web import sorting


@dataclass(frozen=True)
class Row:
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
    rows: list[Row]

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


VALUES: dict[str, Callable[[Row], Any]] = {
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
RISING = ("place", "system", "group", "other_place")


def load(collection: Collection, form: LeaderboardForm) -> Board:
    """The leaderboard that a valid form asks for."""
    said = form.cleaned_data
    board, comparison = boards(collection, form)
    if comparison:
        rows = _beside(comparison)
    else:
        rows = [Row(system, system.by_measure[board.measures[0]]) for system in board.systems]
    found = [row for row in rows if _is_named(row, said["find"])]
    return Board(board, comparison, sorting.sort(found, said["sort"], VALUES))


def boards(collection: Collection, form: LeaderboardForm) -> tuple[Leaderboard, Comparison | None]:
    """The leaderboard under the first rule, on the topics of both where another stands beside."""
    said = form.cleaned_data
    name = str(said["measure"])
    counting = {"with_chances": form.with_chances, "with_ranges": form.with_ranges}
    if said["other"]:
        comparison = comparisons.compare(collection, said["rule"], said["other"], name, **counting)
        return comparison.reference, comparison
    return scores.leaderboard(collection, said["rule"], [name], **counting), None


def _beside(comparison: Comparison) -> list[Row]:
    others = {system.run_tag: system for system in comparison.other.systems}
    name = comparison.measure
    return [
        Row(system, system.by_measure[name], others[system.run_tag], others[system.run_tag].by_measure[name])
        for system in comparison.reference.systems
    ]


def _is_named(row: Row, text: str) -> bool:
    return text.casefold() in row.system.run_tag.casefold() or text.casefold() in row.system.group.casefold()
