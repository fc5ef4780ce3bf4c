"""Two raters of a collection: all that the page of agreement, its tables and its figures show of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from annotate.models import Collection
from evaluation import web
from evaluation.findings.agreement import agreement, groups
from evaluation.findings.agreement.agreement import Agreement, Sides
from evaluation.findings.agreement.details import Details
from evaluation.findings.agreement.groups import Group, Grouped
from evaluation.inputs import raters
from evaluation.pages.agreement import figure_tables, tables
from evaluation.pages.agreement.figure_tables import FigureRow, IntervalRow
from evaluation.pages.agreement.forms import AgreementForm, PairsForm
from evaluation.pages.agreement.tables import ALL_FIGURES, AnchoringTable, GroupTable, group_table
from evaluation.tables.table import DataTable, Table


@dataclass(frozen=True, eq=False)
class TwoRaters:
    """Two raters of a collection; what they share is computed when it is asked for. `sort` orders all tables."""

    collection: Collection
    sides: Sides
    sort: str

    @cached_property
    def result(self) -> Agreement:
        return agreement.compare_raters(self.collection, self.sides)

    @cached_property
    def groups(self) -> Grouped:
        return groups.compare_in_groups(self.collection, self.sides)

    @property
    def topics(self) -> GroupTable:
        return self._group_table("topics", "by topic", "Topic", self.groups.topics, link="topic")

    @property
    def grades(self) -> GroupTable:
        words, figures = f"by the grade that {self.sides.first.words} gave", tables.ONE_GRADE_FIGURES
        return self._group_table("grades", words, "Grade", self.groups.grades, figures, link="first_grade")

    @property
    def sources(self) -> GroupTable:
        return self._group_table("sources", "by where the pairs come from", "Pairs that are", self.groups.sources)

    @property
    def trend(self) -> GroupTable:
        return self._group_table("trend", "by the time of people's grades", "Time (UTC)", self.groups.periods)

    @property
    def parts(self) -> GroupTable:
        """By what people saw of the suggestion; without rows where neither rater is people."""
        rows = [
            Group(
                each.part.value,
                groups.read_figures(each.figures),
                None if each.among is None else groups.read_figures_of_people(each.among),
            )
            for each in self.result.parts
        ]
        return self._group_table("parts", "by what people saw", "Grades given", rows)

    @property
    def anchoring(self) -> AnchoringTable | None:
        """What people did after a reveal of the model's suggestions, where people and a model are compared."""
        person, model = self.sides.person, self.sides.model
        if person is None or model is None:
            return None
        whole = groups.count_decisions(self.collection, person, model)
        by_assessor = groups.count_by_assessor(self.collection, person, model)
        return tables.anchoring_table(whole, by_assessor, self.words, self.sort)

    @property
    def figures(self) -> DataTable[FigureRow]:
        return figure_tables.figures_table(self.result, self.words)

    def intervals(self, details: Details, over: str) -> DataTable[IntervalRow]:
        return figure_tables.intervals_table(self.result, details, over, self.words)

    def length(self, details: Details) -> GroupTable:
        rows = list(map(groups.read_group, details["length"]))
        return self._group_table("length", "by the length of the passage", "Words", rows)

    def overlap(self, details: Details) -> GroupTable:
        rows = list(map(groups.read_group, details["overlap"]))
        return self._group_table("overlap", "by the share of the query's words in the passage", "Percent", rows)

    @property
    def words(self) -> str:
        return f"{self.sides.first.words} and {self.sides.second.words}"

    def _group_table(
        self,
        name: str,
        words: str,
        first: str,
        rows: Sequence[Group],
        figures: tuple[str, ...] = ALL_FIGURES,
        link: str = "",
    ) -> GroupTable:
        return group_table(name, f"Agreement of {self.words} {words}", first, rows, self.sort, figures, link)


def read_two_raters(collection: Collection, form: AgreementForm | PairsForm) -> TwoRaters | None:
    """The two raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    asked = form.cleaned_data
    try:
        first, second = (raters.find_rater(collection, asked[side]) for side in ("first", "second"))
        return TwoRaters(collection, agreement.make_sides(first, second), asked["sort"])
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None


def require_two_raters(collection: Collection, form: AgreementForm | PairsForm) -> TwoRaters:
    """The two raters of a download or fragment. Raises web.NoFile."""
    found = read_two_raters(collection, form)
    web.valid_form(form)
    assert found is not None
    return found


def confusion_table(shown: TwoRaters) -> Table:
    """Rows are grades of the first, columns of the second."""
    grades = list(shown.collection.scale.grades)
    counts = shown.result.figures.confusion.tolist()
    caption = f"Grades of {shown.sides.first.words} (rows) and {shown.sides.second.words} (columns): numbers of pairs"
    columns = (f"{shown.sides.first.name} \\ {shown.sides.second.name}", *map(str, grades))
    return Table(caption, columns, tuple((str(grade), *line) for grade, line in zip(grades, counts, strict=True)))


def _anchoring(shown: TwoRaters) -> Table:
    """What people did after a reveal; without rows where people are not compared with a model."""
    found = shown.anchoring
    return found.table if found else Table(f"Grades after a reveal, {shown.words}", ("assessor",), ())


TABLES: dict[str, Callable[[TwoRaters], Table]] = {
    "figures": lambda shown: shown.figures.table,
    "confusion": confusion_table,
    "anchoring": _anchoring,
    "topics": lambda shown: shown.topics.table,
    "grades": lambda shown: shown.grades.table,
    "sources": lambda shown: shown.sources.table,
    "trend": lambda shown: shown.trend.table,
    "parts": lambda shown: shown.parts.table,
}
# These rest on what the background computes, and one on what the intervals are over.
DETAILS_TABLES: dict[str, Callable[[TwoRaters, Details, str], Table]] = {
    "intervals": lambda shown, details, over: shown.intervals(details, over).table,
    "part-intervals": lambda shown, details, over: (
        figure_tables.part_intervals_table(shown.result, details, shown.words).table
    ),
    "length": lambda shown, details, over: shown.length(details).table,
    "overlap": lambda shown, details, over: shown.overlap(details).table,
}
