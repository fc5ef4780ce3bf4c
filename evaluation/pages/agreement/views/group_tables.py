"""Tables of groups: agreement by topic, grade, source, time ... as rows that sort, for the page and for downloads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from evaluation.agreement.value import Value
from evaluation.findings.agreement.group_figures import FIGURES, Figures, Group
from evaluation.tables.table import Cell, Table, cell
from evaluation.web import sorting
from evaluation.web.sorting import Head

ALL = tuple(FIGURES)
# By one rater's grade kappa and alpha say nothing: they expect both raters to vary.
OF_ONE_GRADE = ("equal", "difference")
PEOPLE = "people among themselves"
# The words on the page, and in a download.
WORDS = {
    "n": ("Pairs", "pairs"),
    "alpha": ("Alpha, ordinal", "alpha, ordinal"),
    "kappa": ("Kappa", "kappa"),
    "binary": ("Kappa, binary", "kappa, binary"),
    "ac1": ("AC1", "AC1"),
    "equal": ("Equal grades", "share of equal grades"),
    "difference": ("Mean difference", "mean difference"),
}


@dataclass(frozen=True)
class Row:
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
    columns: tuple[str, ...] = ALL
    link: str = ""

    @property
    def heads(self) -> list[tuple[Head, str, str]]:
        """Of each column the head, its words and its class."""
        heads = sorting.heads(self.asked, ("group", "n", *self.columns), ["group"])
        words = {"group": self.first, **{name: told for name, (told, _) in WORDS.items()}}
        return [(head, words[name], "" if name == "group" else "num") for name, head in heads.items()]

    @property
    def sorted(self) -> list[Group]:
        places = {group.key: place for place, group in enumerate(self.groups)}
        columns: dict[str, Callable[[Group], Any]] = {name: partial(_number, name) for name in self.columns}
        columns |= {"group": lambda group: places[group.key], "n": lambda group: group.figures.n}
        return sorting.sort(self.groups, self.asked, columns)

    @property
    def rows(self) -> list[Row]:
        return [
            Row(
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
        heads = [self.first.lower(), *(WORDS[name][1] for name in own)]
        if self.has_people or self.has_nobody:
            heads += [f"{PEOPLE}: {WORDS[name][1]}" for name in people]
        rows = tuple(
            (group.key, *_cells(group.figures, own), *(_cells(group.among, people) if group.among else ()))
            for group in self.sorted
        )
        return Table(self.caption, tuple(heads), rows, places=3)

    @property
    def _unsigned(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name != "difference")


def _cells(figures: Figures, names: tuple[str, ...]) -> tuple[Cell, ...]:
    return tuple(figures.n if name == "n" else cell(figures.values[name]) for name in names)


def _number(name: str, group: Group) -> float | None:
    return group.figures.values[name].value
