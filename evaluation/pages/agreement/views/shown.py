"""All that the page of agreement, its tables and its figures show of a collection's raters."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotate.models import Collection
from evaluation.findings.agreement import agreement, anchoring, group_figures
from evaluation.findings.agreement import groups as agreement_groups
from evaluation.findings.agreement.agreement import Agreement
from evaluation.findings.agreement.common_pairs import Sides
from evaluation.findings.agreement.group_figures import Group
from evaluation.findings.agreement.groups import Grouped
from evaluation.inputs import raters
from evaluation.pages.agreement.forms import AgreementForm, PairsForm
from evaluation.pages.agreement.views import group_tables
from evaluation.pages.agreement.views.anchoring_rows import Anchoring
from evaluation.pages.agreement.views.group_tables import GroupTable


@dataclass(frozen=True, eq=False)
class Shown:
    """Two raters of a collection; what they share is computed when it is asked for. `sort` orders all tables."""

    collection: Collection
    sides: Sides
    sort: str

    @cached_property
    def found(self) -> Agreement:
        return agreement.of(self.collection, self.sides)

    @cached_property
    def groups(self) -> Grouped:
        return agreement_groups.of(self.collection, self.sides)

    @property
    def topics(self) -> GroupTable:
        return GroupTable("topics", f"{self._of} by topic", "Topic", self.groups.topics, self.sort, link="topic")

    @property
    def grades(self) -> GroupTable:
        caption, first = f"{self._of} by the grade that {self.sides.first.words} gave", "Grade"
        of_one = group_tables.OF_ONE_GRADE
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
                group_figures.of(each.figures),
                None if each.among is None else group_figures.of_people(each.among),
            )
            for each in self.found.parts
        ]
        return GroupTable("parts", f"{self._of} by what people saw", "Grades given", rows, self.sort)

    @property
    def anchoring(self) -> Anchoring | None:
        """What people did after a reveal of the model's suggestions, where people and a model are compared."""
        person, model = self.sides.person, self.sides.model
        if person is None or model is None:
            return None
        return Anchoring(
            anchoring.of(self.collection, person, model),
            anchoring.by_assessor(self.collection, person, model),
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
            GroupTable(name, *words, [group_figures.group(row) for row in details[name]], self.sort)
            for name, words in told.items()
        ]

    @property
    def words(self) -> str:
        return f"{self.sides.first.words} and {self.sides.second.words}"

    @property
    def _of(self) -> str:
        return f"Agreement of {self.words}"


def asked(collection: Collection, form: AgreementForm | PairsForm) -> Shown | None:
    """The two raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    said = form.cleaned_data
    try:
        first, second = (raters.named(collection, said[side]) for side in ("first", "second"))
        return Shown(collection, agreement.compared(first, second), said["sort"])
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None
