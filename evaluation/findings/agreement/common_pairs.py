"""The pairs that two raters graded, as they are compared, and what groups them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotate.grades import ratings
from annotate.grades.ratings import Pair
from annotate.models import Collection, Judgment
from evaluation.inputs import person_grades, raters
from evaluation.inputs.person_grades import Part
from evaluation.inputs.raters import Kind, NamedRater

Grades = dict[Pair, int]


@dataclass(frozen=True)
class Sides:
    """Two raters that may be compared, those of people blind where the other is a model."""

    first: NamedRater
    second: NamedRater

    @property
    def person(self) -> NamedRater | None:
        """The first of them that is people."""
        return next((rater for rater in (self.first, self.second) if rater.is_person), None)

    @property
    def model(self) -> NamedRater | None:
        return next((rater for rater in (self.first, self.second) if rater.kind is Kind.MODEL), None)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(rater.name for rater in (self.first, self.second) if rater.kind is Kind.MODEL)

    @property
    def assessors(self) -> tuple[str, ...]:
        return tuple(rater.name for rater in (self.first, self.second) if rater.kind is Kind.ASSESSOR)

    @property
    def are_people(self) -> bool:
        return self.first.is_person and self.second.is_person

    @property
    def is_blind(self) -> bool:
        """Whether of people only grades given blind count: always beside a model."""
        return bool(self.models) or (self.person is not None and self.person.is_blind)


@dataclass(frozen=True, eq=False)
class PartGrades:
    """The grades of both; `people` has those of each assessor, None where both raters are people."""

    first: Grades
    second: Grades
    people: list[Grades] | None


def grades(collection: Collection, sides: Sides) -> tuple[Grades, Grades]:
    """The grades of both; negative ones are none."""
    return _graded(raters.grades(collection, sides.first)), _graded(raters.grades(collection, sides.second))


def grades_by_part(collection: Collection, sides: Sides) -> dict[Part, PartGrades]:
    """The same by what people saw; empty where neither is people."""
    if sides.person is None:
        return {}
    whole = grades(collection, sides)
    parts = {}
    for part, by_assessor in person_grades.by_part(collection).items():
        first, second = (
            person_grades.of_rater(by_assessor, rater, collection.consensus) if rater.is_person else given
            for rater, given in zip((sides.first, sides.second), whole, strict=True)
        )
        parts[part] = PartGrades(first, second, None if sides.are_people else list(by_assessor.values()))
    return parts


def among_people(collection: Collection, sides: Sides) -> list[Grades] | None:
    """What each assessor gave, on the terms of the comparison: blind beside a model. None where both raters are people,
    and where nobody has judged and neither is people."""
    if sides.are_people:
        return None
    graded = ratings.current(collection).filter(outcome=Judgment.Outcome.GRADED)
    if sides.person is None and not graded.exists():
        return None
    return list(ratings.by_assessor(collection, blind=sides.is_blind).values())


def graded_at(collection: Collection, names: Iterable[str] = ()) -> dict[Pair, datetime]:
    """When people, or the assessors of these names, gave the last of the grades of each pair."""
    rows = ratings.current(collection).filter(outcome=Judgment.Outcome.GRADED)
    if names := set(names):
        rows = rows.filter(assessor__pseudonym__in=names)
    found: dict[Pair, list[datetime]] = defaultdict(list)
    for query_id, passage_id, created_at in rows.values_list(*ratings.NAMES, "created_at"):
        found[query_id, passage_id].append(created_at)
    return {pair: max(times) for pair, times in found.items()}


def _graded(given: Grades) -> Grades:
    return {pair: grade for pair, grade in given.items() if grade >= 0}
