"""The pairs that two raters graded, as they are compared, and what groups them."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from annotate.models import Collection, Judgment
from annotate.queries import ratings
from annotate.queries.ratings import Pair
from evaluation.queries import person_grades, raters
from evaluation.queries.person_grades import Part
from evaluation.queries.raters import Kind, NamedRater

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


def grades(collection: Collection, sides: Sides) -> tuple[Grades, Grades]:
    """The grades of both; negative ones are none."""
    return _graded(raters.grades(collection, sides.first)), _graded(raters.grades(collection, sides.second))


def grades_by_part(collection: Collection, sides: Sides) -> dict[Part, tuple[Grades, Grades]]:
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
        parts[part] = (first, second)
    return parts


def graded_at(collection: Collection, sides: Sides) -> dict[Pair, datetime]:
    """When people gave the last of the grades of each pair that are compared."""
    names = {rater.name for rater in (sides.first, sides.second) if rater.kind is Kind.ASSESSOR}
    rows = ratings.current(collection).filter(outcome=Judgment.Outcome.GRADED)
    if names:
        rows = rows.filter(assessor__pseudonym__in=names)
    found: dict[Pair, list[datetime]] = defaultdict(list)
    for query_id, passage_id, created_at in rows.values_list(*ratings.NAMES, "created_at"):
        found[query_id, passage_id].append(created_at)
    return {pair: max(times) for pair, times in found.items()}


def _graded(given: Grades) -> Grades:
    return {pair: grade for pair, grade in given.items() if grade >= 0}
