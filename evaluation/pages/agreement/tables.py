"""Tables of agreement that sort: in groups (topic, grade, source, time ...), after a reveal, all raters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from evaluation.agreement.value import Value
from evaluation.findings.agreement.anchoring import Decisions
from evaluation.findings.agreement.groups import FIGURES, Group, GroupFigures
from evaluation.findings.agreement.matrix import Matrix, MatrixCell, MatrixRow, PeopleAlpha
from evaluation.pages.agreement import figure_tables
from evaluation.tables import table as tables_table
from evaluation.tables.table import Cell, Head, Table, value_cell

ALL_COLUMNS = tuple(FIGURES)
# By one rater's grade kappa and alpha say nothing: they expect both raters to vary.
ONE_GRADE_COLUMNS = ("equal", "difference")
PEOPLE = "people among themselves"
# The words on the page, and in a download.
GROUP_WORDS = {
    "n": ("Pairs", "pairs"),
    "alpha": ("Alpha, ordinal", "alpha, ordinal"),
    "kappa": ("Kappa", "kappa"),
    "binary": ("Kappa, binary", "kappa, binary"),
    "ac1": ("AC1", "AC1"),
    "equal": ("Equal grades", "share of equal grades"),
    "difference": ("Mean difference", "mean difference"),
}


@dataclass(frozen=True)
class GroupRow:
    """A group and its values in the order of the columns, each with the column's name; `link` leads to its pairs.

    `people` are the values of people among themselves, who have no mean difference; None without a pair of two.
    """

    group: Group
    link: str
    cells: list[tuple[str, Value]]
    people: list[tuple[str, Value]] | None


@dataclass(frozen=True, eq=False)
class GroupTable:
    """`name` is that of its file and its place on the page, `first` the head of the first column, `asked` the column by
    which it is sorted. `link` names the argument by which the page of pairs knows a group."""

    name: str
    caption: str
    first: str
    groups: Sequence[Group]
    asked: str
    columns: tuple[str, ...] = ALL_COLUMNS
    link: str = ""

    @property
    def heads(self) -> list[tuple[Head, str, str]]:
        """Of each column the head, its words and its class."""
        heads = tables_table.sort_heads(self.asked, ("group", "n", *self.columns), ["group"])
        words = {"group": self.first, **{name: told for name, (told, _) in GROUP_WORDS.items()}}
        return [(head, words[name], "" if name == "group" else "num") for name, head in heads.items()]

    @property
    def sorted(self) -> list[Group]:
        places = {group.key: place for place, group in enumerate(self.groups)}
        columns: dict[str, Callable[[Group], Any]] = {name: partial(_group_number, name) for name in self.columns}
        columns |= {"group": lambda group: places[group.key], "n": lambda group: group.figures.n}
        return tables_table.sort_rows(self.groups, self.asked, columns)

    @property
    def rows(self) -> list[GroupRow]:
        return [
            GroupRow(
                group,
                urlencode({self.link: group.key}) if self.link else "",
                [(name, group.figures.values[name]) for name in self.columns],
                [(name, group.among.values[name]) for name in self._unsigned]
                if group.among and group.among.n
                else None,
            )
            for group in self.sorted
        ]

    @property
    def has_people(self) -> bool:
        """Whether two people judged one pair in some group."""
        return any(group.among is not None and group.among.n for group in self.groups)

    @property
    def has_nobody(self) -> bool:
        """Whether people are to be compared among themselves, and share no pair in any group."""
        return not self.has_people and any(group.among is not None for group in self.groups)

    @property
    def table(self) -> Table:
        """To be downloaded; people among themselves have columns of their own."""
        own, people = ("n", *self.columns), ("n", *self._unsigned)
        heads = [self.first.lower(), *(GROUP_WORDS[name][1] for name in own)]
        if self.has_people or self.has_nobody:
            heads += [f"{PEOPLE}: {GROUP_WORDS[name][1]}" for name in people]
        rows = tuple(
            (group.key, *_group_cells(group.figures, own), *(_group_cells(group.among, people) if group.among else ()))
            for group in self.sorted
        )
        return Table(self.caption, tuple(heads), rows, places=3)

    @property
    def _unsigned(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name != "difference")


def _group_cells(figures: GroupFigures, names: tuple[str, ...]) -> tuple[Cell, ...]:
    return tuple(figures.n if name == "n" else value_cell(figures.values[name]) for name in names)


def _group_number(name: str, group: Group) -> float | None:
    return group.figures.values[name].value


DECISION_COLUMNS: dict[str, tuple[str, Callable[[Decisions], Any]]] = {
    "decided": ("Decided", lambda found: found.decided),
    "changed": ("Changed", lambda found: found.changed),
    "share_changed": ("Share changed", lambda found: found.share_changed),
    "differing": ("Differed from the suggestion", lambda found: found.differing),
    "towards": ("Moved towards it", lambda found: found.towards),
    "share_towards": ("Share of the differing moved towards it", lambda found: found.share_of_differing),
    "onto": ("Onto it", lambda found: found.onto),
    "away": ("Away from it", lambda found: found.away),
    "raised": ("Raised", lambda found: found.raised),
    "lowered": ("Lowered", lambda found: found.lowered),
    "undecided": ("Not decided yet", lambda found: found.undecided),
}
DECISION_SHARES = ("share_changed", "share_towards")


@dataclass(frozen=True)
class AnchoringTable:
    """`whole` is of all whom the comparison names, `by_assessor` of each of them."""

    whole: Decisions
    by_assessor: dict[str, Decisions]
    words: str
    asked: str

    @property
    def heads(self) -> list[tuple[tables_table.Head, str, str]]:
        heads = tables_table.sort_heads(self.asked, ("group", *DECISION_COLUMNS), ["group"])
        return [
            (head, "Assessor" if name == "group" else DECISION_COLUMNS[name][0], "" if name == "group" else "num")
            for name, head in heads.items()
        ]

    @property
    def rows(self) -> list[tuple[str, list[tuple[bool, Any]]]]:
        """Of each assessor the name and the values; true with a value that is a share."""
        columns: dict[str, Callable[[tuple[str, Decisions]], Any]] = {
            name: lambda row, value=value, name=name: value(row[1]).value if name in DECISION_SHARES else value(row[1])
            for name, (_, value) in DECISION_COLUMNS.items()
        }
        found = tables_table.sort_rows(
            list(self.by_assessor.items()), self.asked, {"group": lambda row: row[0], **columns}
        )
        return [
            (name, [(column in DECISION_SHARES, value(decisions)) for column, (_, value) in DECISION_COLUMNS.items()])
            for name, decisions in found
        ]

    @property
    def table(self) -> Table:
        rows = [(name, *_decision_cells(self.by_assessor[name])) for name, _ in self.rows]
        heads = ("assessor", *(words.lower() for words, _ in DECISION_COLUMNS.values()))
        caption = f"Grades after the reveal of a suggestion, {self.words}"
        return Table(caption, heads, (*rows, ("all", *_decision_cells(self.whole))), places=3)


def _decision_cells(found: Decisions) -> tuple[Cell, ...]:
    return tuple(
        value_cell(value(found)) if name in DECISION_SHARES else value(found)
        for name, (_, value) in DECISION_COLUMNS.items()
    )


MATRIX_CAPTION = "Agreement of all raters"


@dataclass(frozen=True)
class SortedMatrix:
    """The rows of a matrix; `columns` are the raters' names and heads, `among` what stands under each of them."""

    rows: list[MatrixRow]
    columns: list[tuple[str, Head]]
    among: tuple[PeopleAlpha | None, ...]
    has_repeats: bool


def sort_matrix(matrix: Matrix, asked: str) -> SortedMatrix:
    """By alpha with one rater, `-NAME` from the largest down; as they came where nobody of that name is there."""
    names = [row.rater.name for row in matrix.rows]
    columns = {name: partial(_alpha_in_column, place) for place, name in enumerate(names)}
    heads = tables_table.sort_heads(asked, names)
    return SortedMatrix(
        tables_table.sort_rows(matrix.rows, asked, columns), list(heads.items()), matrix.among, matrix.has_repeats
    )


def matrix_table(matrix: Matrix) -> Table:
    """Each two raters once, in the order of the matrix, with what people among themselves have; and a person with
    himself where pairs came again."""
    cells = [cell for place, row in enumerate(matrix.rows) for cell in row.cells[place:] if cell is not None]
    heads = ("first", "second", "pairs", "alpha, ordinal")
    if not matrix.among:
        return Table(MATRIX_CAPTION, heads, tuple(map(_matrix_cells, cells)), places=3)
    people = (f"{figure_tables.PEOPLE}: pairs", f"{figure_tables.PEOPLE}: alpha, ordinal")
    return Table(
        MATRIX_CAPTION, heads + people, tuple((*_matrix_cells(cell), *_people_cells(cell)) for cell in cells), places=3
    )


def _matrix_cells(found: MatrixCell) -> tuple[tables_table.Cell, ...]:
    second = "the same, when pairs came again" if found.is_self else found.second.words
    return found.first.words, second, found.n, tables_table.value_cell(found.alpha)


def _people_cells(found: MatrixCell) -> tuple[tables_table.Cell, ...]:
    if found.among is None:
        return None, None
    return found.among.n, tables_table.value_cell(found.among.alpha if found.among.n else figure_tables.NOBODY_TWICE)


def _alpha_in_column(place: int, row: MatrixRow) -> float | None:
    found = row.cells[place]
    return found.alpha.value if found else None
