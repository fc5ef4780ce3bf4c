"""Tables of agreement that sort: in groups (topic, grade, source, time ...), after a reveal, all raters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from evaluation import web
from evaluation.agreement.value import Value
from evaluation.findings.agreement.graded_pairs import GradedPair
from evaluation.findings.agreement.groups import FIGURES, Decisions, Group
from evaluation.findings.agreement.matrix import (
    MEASURE,
    Matrix,
    MatrixCell,
    MatrixRow,
    Several,
    SeveralIntervals,
    WithFirst,
)
from evaluation.pages.agreement.figure_tables import INTERVAL_LABELS, NOBODY_TWICE, PEOPLE
from evaluation.statistics.bootstrap import IntervalJson
from evaluation.tables.table import Column, Content, DataTable, Ends, Table, make_table, sort_names, text_column
from evaluation.templatetags.findings import number_cell, share_cell

ALL_FIGURES = tuple(FIGURES)
# By one rater's grade kappa and alpha say nothing: they expect both raters to vary.
ONE_GRADE_FIGURES = ("equal", "difference")
# The words on the page, and in a download.
FIGURE_WORDS = {
    "alpha": ("Alpha, ordinal", "alpha, ordinal"),
    "kappa": ("Kappa", "kappa"),
    "binary": ("Kappa, binary", "kappa, binary"),
    "ac1": ("AC1", "AC1"),
    "equal": ("Equal grades", "share of equal grades"),
    "difference": ("Mean difference", "mean difference"),
}


@dataclass(frozen=True, eq=False)
class GroupTable(DataTable[Group]):
    """`name` is also that of its file and its place on the page. `link` names the argument by which the page of pairs
    knows a group."""

    link: str = ""

    @property
    def groups(self) -> Sequence[Group]:
        return self.given

    @property
    def width(self) -> int:
        """How many figures a row has on the page."""
        return len(self.shown) - 2

    @property
    def has_people(self) -> bool:
        """Whether two people judged one pair in some group."""
        return any(group.among is not None and group.among.n for group in self.given)

    @property
    def has_nobody(self) -> bool:
        """Whether people are to be compared among themselves, and share no pair in any group."""
        return not self.has_people and any(group.among is not None for group in self.given)


def group_table(
    name: str,
    caption: str,
    first: str,
    groups: Sequence[Group],
    asked: str = "",
    figures: tuple[str, ...] = ALL_FIGURES,
    link: str = "",
) -> GroupTable:
    """`first` is the head of the first column. In a download people among themselves have columns of their own."""
    columns = group_columns(first, groups, figures)
    if any(group.among is not None for group in groups):
        columns += [Column("", "", f"{PEOPLE}: {column.label}", _of_people(column)) for column in columns[1:]]
    columns = [column for column in columns if column.label != f"{PEOPLE}: {FIGURE_WORDS['difference'][1]}"]
    return GroupTable(name, caption, columns, groups, asked, places=3, link=link)


def group_columns(
    first: str, groups: Sequence[Group] = (), figures: tuple[str, ...] = ALL_FIGURES
) -> list[Column[Group]]:
    places = {group.key: place for place, group in enumerate(groups)}

    def place(group: Group) -> int:
        return places[group.key]

    template = "evaluation/agreement/_group.html"
    return [
        Column("group", first, first.lower(), lambda group: group.key, template, "", place, True, is_row_head=True),
        Column("n", "Pairs", "pairs", lambda group: group.figures.n),
        *(
            Column(name, *FIGURE_WORDS[name], partial(_figure, name), share_cell if name == "equal" else number_cell())
            for name in figures
        ),
    ]


def _figure(name: str, group: Group) -> Content:
    return group.figures.values.get(name)


def _of_people(column: Column[Group]) -> Callable[[Group], Content]:
    return lambda group: None if group.among is None else column.value(Group(group.key, group.among))


@dataclass(frozen=True)
class Decider:
    """An assessor, and what became of grades after a reveal."""

    name: str
    decisions: Decisions


@dataclass(frozen=True, eq=False, kw_only=True)
class AnchoringTable(DataTable[Decider]):
    """`whole` is of all whom the comparison names, and ends the download."""

    whole: Decisions

    @property
    def table(self) -> Table:
        return make_table(self.caption, self.columns, [*self.rows, Decider("all", self.whole)], self.places)


def anchoring_table(
    whole: Decisions, by_assessor: Mapping[str, Decisions], words: str, asked: str = ""
) -> AnchoringTable:
    caption = f"Grades after the reveal of a suggestion, {words}"
    rows = [Decider(name, decisions) for name, decisions in by_assessor.items()]
    return AnchoringTable("anchoring", caption, DECISION_COLUMNS, rows, asked, places=3, whole=whole)


def _decision_column(name: str, head: str, value: Callable[[Decisions], Content]) -> Column[Decider]:
    return Column(name, head, head.lower(), lambda row: value(row.decisions))


def _share_column(name: str, head: str, value: Callable[[Decisions], Content]) -> Column[Decider]:
    return Column(name, head, head.lower(), lambda row: value(row.decisions), share_cell)


DECISION_COLUMNS: list[Column[Decider]] = [
    text_column("group", "Assessor", "assessor", lambda row: row.name, is_row_head=True),
    _decision_column("decided", "Decided", lambda found: found.decided),
    _decision_column("changed", "Changed", lambda found: found.changed),
    _share_column("share_changed", "Share changed", lambda found: found.share_changed),
    _decision_column("differing", "Differed from the suggestion", lambda found: found.differing),
    _decision_column("towards", "Moved towards it", lambda found: found.towards),
    _share_column("share_towards", "Share of the differing moved towards it", lambda found: found.share_of_differing),
    _decision_column("onto", "Onto it", lambda found: found.onto),
    _decision_column("away", "Away from it", lambda found: found.away),
    _decision_column("raised", "Raised", lambda found: found.raised),
    _decision_column("lowered", "Lowered", lambda found: found.lowered),
    _decision_column("undecided", "Not decided yet", lambda found: found.undecided),
]
SORTS = list(dict.fromkeys([*sort_names(group_columns("")), *sort_names(DECISION_COLUMNS)]))


@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixTable(DataTable[MatrixRow]):
    """Raters by raters, each with a column under its name, which sorts by the agreement with it."""

    matrix: Matrix

    @property
    def table(self) -> Table:
        """Each two raters once, in the order of the matrix, with what people among themselves have; and a person with
        himself where pairs came again."""
        rows = self.matrix.rows
        cells = [cell for place, row in enumerate(rows) for cell in row.cells[place:] if cell is not None]
        columns = CELL_COLUMNS if self.matrix.among else CELL_COLUMNS[:4]
        return make_table(self.caption, columns, cells, self.places)


def matrix_table(matrix: Matrix, asked: str = "") -> MatrixTable:
    columns: list[Column[MatrixRow]] = [
        Column(row.rater.name, row.rater.name, "", partial(_alpha_with, place)) for place, row in enumerate(matrix.rows)
    ]
    return MatrixTable("matrix", "Agreement of all raters", columns, matrix.rows, asked, places=3, matrix=matrix)


def _alpha_with(place: int, row: MatrixRow) -> Content:
    cell = row.cells[place]
    return cell.alpha if cell else None


def _second(cell: MatrixCell) -> str:
    return "the same, when pairs came again" if cell.is_self else cell.second.words


def _alpha_of_people(cell: MatrixCell) -> Content:
    if cell.among is None:
        return None
    return cell.among.alpha if cell.among.n else NOBODY_TWICE


CELL_COLUMNS: list[Column[MatrixCell]] = [
    Column("", "", "first", lambda cell: cell.first.words),
    Column("", "", "second", _second),
    Column("", "", "pairs", lambda cell: cell.n),
    Column("", "", "alpha, ordinal", lambda cell: cell.alpha),
    Column("", "", f"{PEOPLE}: pairs", lambda cell: cell.among.n if cell.among else None),
    Column("", "", f"{PEOPLE}: alpha, ordinal", _alpha_of_people),
]


def pair_columns(first: str = "first", second: str = "second") -> list[Column[GradedPair]]:
    """Of the pairs behind a cell; with the words of the two raters."""
    return [
        text_column("topic", "Topic", "topic", lambda pair: pair.query_id),
        text_column("passage", "Passage", "passage", lambda pair: pair.passage_id),
        Column("first", first, first, lambda pair: pair.first, css=""),
        Column("second", second, second, lambda pair: pair.second, css=""),
        Column("difference", "Difference", "difference", lambda pair: pair.difference),
    ]


@dataclass(frozen=True)
class AlphaRow:
    """Alpha of one level; `interval` is None until it is computed."""

    level: str
    alpha: Value
    interval: IntervalJson | None

    @property
    def ends(self) -> Ends:
        return web.read_ends(self.interval) or Ends(None, None, how="being computed")


ALPHA_COLUMNS: list[Column[AlphaRow]] = [
    text_column("", "Alpha", "alpha", lambda row: row.level, is_row_head=True),
    Column("", "Value", "value", lambda row: row.alpha, number_cell()),
    Column("", "Interval", INTERVAL_LABELS, lambda row: row.ends, "evaluation/agreement/_several_interval.html"),
]


def several_table(shown: Several, intervals: SeveralIntervals | None, over: str) -> DataTable[AlphaRow]:
    names = ", ".join(rater.words for rater in shown.raters)
    caption = f"Krippendorff's alpha of {names} on {shown.result.n} pairs that two of them or more graded"
    known = intervals[over] if intervals else {}
    rows = [AlphaRow(level, alpha, known.get(level)) for level, alpha in shown.result.alpha.items()]
    return DataTable("several", caption, ALPHA_COLUMNS, rows, places=3)


WITH_FIRST_COLUMNS: list[Column[WithFirst]] = [
    text_column("rater", "Rater", "rater", lambda row: row.rater.words, is_row_head=True),
    Column("pairs", "Pairs", "pairs", lambda row: row.found.n),
    Column("kappa", "Kappa", "kappa", lambda row: row.found.kappa["unweighted"], number_cell()),
    Column("binary", "Kappa, binary", "kappa, binary", lambda row: row.found.kappa["binary"], number_cell()),
    Column("alpha", "Alpha, ordinal", "alpha, ordinal", lambda row: row.found.alpha["ordinal"], number_cell()),
    Column("tau", "Tau-b of systems", f"tau-b of systems by {MEASURE}", lambda row: row.tau_b, number_cell()),
]


def with_first_table(first: str, rows: Sequence[WithFirst], asked: str = "") -> DataTable[WithFirst]:
    caption = f"Agreement with {first} on the pairs that both graded; tau-b of the systems by {MEASURE} on these pairs"
    return DataTable("with-first", caption, WITH_FIRST_COLUMNS, rows, asked, places=3)
