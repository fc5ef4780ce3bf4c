"""Two raters of a collection: all that the page of agreement, its tables and its figures show of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotate.models import Collection
from evaluation.findings.agreement import agreement
from evaluation.findings.agreement import anchoring as agreement_anchoring
from evaluation.findings.agreement import groups as agreement_groups
from evaluation.findings.agreement.agreement import Agreement, Sides
from evaluation.findings.agreement.groups import Group, Grouped
from evaluation.inputs import raters
from evaluation.pages.agreement import figure_tables, tables
from evaluation.pages.agreement.forms import AgreementForm, PairsForm
from evaluation.pages.agreement.tables import AnchoringTable, GroupTable
from evaluation.tables.table import Table


@dataclass(frozen=True, eq=False)
class TwoRaters:
    """Two raters of a collection; what they share is computed when it is asked for. `sort` orders all tables."""

    collection: Collection
    sides: Sides
    sort: str

    @cached_property
    def found(self) -> Agreement:
        return agreement.compare_raters(self.collection, self.sides)

    @cached_property
    def groups(self) -> Grouped:
        return agreement_groups.compare_in_groups(self.collection, self.sides)

    @property
    def topics(self) -> GroupTable:
        return GroupTable("topics", f"{self._of} by topic", "Topic", self.groups.topics, self.sort, link="topic")

    @property
    def grades(self) -> GroupTable:
        caption, first = f"{self._of} by the grade that {self.sides.first.words} gave", "Grade"
        of_one = tables.ONE_GRADE_COLUMNS
        return GroupTable("grades", caption, first, self.groups.grades, self.sort, of_one, link="first_grade")

    @property
    def sources(self) -> GroupTable:
        return GroupTable(
            "sources", f"{self._of} by where the pairs come from", "Pairs that are", self.groups.sources, self.sort
        )

    @property
    def trend(self) -> GroupTable:
        caption = f"{self._of} by the time of people's grades"
        return GroupTable("trend", caption, "Time (UTC)", self.groups.periods, self.sort)

    @property
    def parts(self) -> GroupTable:
        """By what people saw of the suggestion; without rows where neither rater is people."""
        rows = [
            Group(
                each.part.value,
                agreement_groups.read_figures(each.figures),
                None if each.among is None else agreement_groups.read_figures_of_people(each.among),
            )
            for each in self.found.parts
        ]
        return GroupTable("parts", f"{self._of} by what people saw", "Grades given", rows, self.sort)

    @property
    def anchoring(self) -> AnchoringTable | None:
        """What people did after a reveal of the model's suggestions, where people and a model are compared."""
        person, model = self.sides.person, self.sides.model
        if person is None or model is None:
            return None
        return AnchoringTable(
            agreement_anchoring.count_decisions(self.collection, person, model),
            agreement_anchoring.count_by_assessor(self.collection, person, model),
            self.words,
            self.sort,
        )

    def traits(self, details: dict[str, Any]) -> list[GroupTable]:
        """By passage length and by overlap with the query, of a finding of `agreement_details`."""
        told = {
            "length": (f"{self._of} by the length of the passage", "Words"),
            "overlap": (f"{self._of} by the share of the query's words in the passage", "Percent"),
        }
        return [
            GroupTable(name, *words, [agreement_groups.read_group(row) for row in details[name]], self.sort)
            for name, words in told.items()
        ]

    @property
    def words(self) -> str:
        return f"{self.sides.first.words} and {self.sides.second.words}"

    @property
    def _of(self) -> str:
        return f"Agreement of {self.words}"


def read_two_raters(collection: Collection, form: AgreementForm | PairsForm) -> TwoRaters | None:
    """The two raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    said = form.cleaned_data
    try:
        first, second = (raters.find_rater(collection, said[side]) for side in ("first", "second"))
        return TwoRaters(collection, agreement.make_sides(first, second), said["sort"])
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None


Details = dict[str, Any]


def figures_table(shown: TwoRaters) -> Table:
    """Every figure of the two raters, each on its own line."""
    return figure_tables.figures_table(shown.found, shown.words)


def confusion_table(shown: TwoRaters) -> Table:
    """Rows are grades of the first, columns of the second."""
    grades = list(shown.collection.scale.grades)
    counts = shown.found.figures.confusion.tolist()
    caption = f"Grades of {shown.sides.first.words} (rows) and {shown.sides.second.words} (columns): numbers of pairs"
    columns = (f"{shown.sides.first.name} \\ {shown.sides.second.name}", *map(str, grades))
    return Table(caption, columns, tuple((str(grade), *line) for grade, line in zip(grades, counts, strict=True)))


def anchoring_table(shown: TwoRaters) -> Table:
    """What people did after a reveal; without rows where people are not compared with a model."""
    found = shown.anchoring
    return found.table if found else Table(f"Grades after a reveal, {shown.words}", ("assessor",), ())


def intervals_table(shown: TwoRaters, details: Details, over: str) -> Table:
    rows = figure_tables.list_intervals(shown.found, details, over)
    return figure_tables.intervals_table(rows, f"Agreement of {shown.words} with its intervals")


def part_intervals_table(shown: TwoRaters, details: Details, over: str) -> Table:
    """Over the topics, whatever is asked: the arms are compared over them."""
    return figure_tables.part_intervals_table(
        figure_tables.list_part_intervals(shown.found, details), f"Agreement of {shown.words} by what people saw"
    )


def length_table(shown: TwoRaters, details: Details, over: str) -> Table:
    return shown.traits(details)[0].table


def overlap_table(shown: TwoRaters, details: Details, over: str) -> Table:
    return shown.traits(details)[1].table


TABLES: dict[str, Callable[[TwoRaters], Table]] = {
    "figures": figures_table,
    "confusion": confusion_table,
    "anchoring": anchoring_table,
    "topics": lambda shown: shown.topics.table,
    "grades": lambda shown: shown.grades.table,
    "sources": lambda shown: shown.sources.table,
    "trend": lambda shown: shown.trend.table,
    "parts": lambda shown: shown.parts.table,
}
# These rest on what the background computes.
DETAILS_TABLES: dict[str, Callable[[TwoRaters, Details, str], Table]] = {
    "intervals": intervals_table,
    "part-intervals": part_intervals_table,
    "length": length_table,
    "overlap": overlap_table,
}
