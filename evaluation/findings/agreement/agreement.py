"""How far two raters of a collection agree: which of their grades are compared, and what is left out."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from annotate.grades import ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Judgment
from evaluation.engine import rater_agreement
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.inputs import judgments, raters
from evaluation.inputs.facts import Fingerprint, fingerprint
from evaluation.inputs.judgments import Part
from evaluation.inputs.raters import Kind, NamedRater

WITHOUT_GRADE = "answers without a grade on the scale"

Grades = dict[PairId, int]


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


def read_grades(collection: Collection, sides: Sides) -> tuple[Grades, Grades]:
    """The grades of both; negative ones are none."""
    return read_own_grades(collection, sides.first), read_own_grades(collection, sides.second)


def read_own_grades(collection: Collection, rater: NamedRater) -> Grades:
    """The same of one rater."""
    return _without_negative(raters.read_grades(collection, rater))


def read_grades_by_part(collection: Collection, sides: Sides) -> dict[Part, PartGrades]:
    """The same by what people saw; empty where neither is people."""
    if sides.person is None:
        return {}
    whole = read_grades(collection, sides)
    parts = {}
    for part, by_assessor in judgments.read_grades_by_part(collection).items():
        first, second = (
            judgments.grades_of_rater(by_assessor, rater, collection.consensus) if rater.is_person else given
            for rater, given in zip((sides.first, sides.second), whole, strict=True)
        )
        parts[part] = PartGrades(first, second, None if sides.are_people else list(by_assessor.values()))
    return parts


def read_grades_of_people(collection: Collection, sides: Sides) -> list[Grades] | None:
    """What each assessor gave, on the terms of the comparison: blind beside a model. None where both raters are people,
    and where nobody has judged and neither is people."""
    if sides.are_people:
        return None
    graded = ratings.current_judgments(collection).filter(outcome=Judgment.Outcome.GRADED)
    if sides.person is None and not graded.exists():
        return None
    return list(ratings.assessor_grades(collection, blind=sides.is_blind).values())


def read_times(collection: Collection, names: Iterable[str] = ()) -> dict[PairId, datetime]:
    """When people, or the assessors of these names, gave the last of the grades of each pair."""
    rows = ratings.current_judgments(collection).filter(outcome=Judgment.Outcome.GRADED)
    if names := set(names):
        rows = rows.filter(assessor__pseudonym__in=names)
    found: dict[PairId, list[datetime]] = defaultdict(list)
    for query_id, passage_id, created_at in rows.values_list(*ratings.NAMES, "created_at"):
        found[query_id, passage_id].append(created_at)
    return {pair: max(times) for pair, times in found.items()}


def _without_negative(given: Mapping[PairId, int]) -> Grades:
    return {pair: grade for pair, grade in given.items() if grade >= 0}


class NotComparable(ValueError):
    """The two are not independent of one another; the message says how."""


class LeftOut(NamedTuple):
    number: int
    what: str


@dataclass(frozen=True)
class Side:
    """A rater, how many grades of it count, and what of it was left out: numbers with their words."""

    rater: NamedRater
    counted: int
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class PartAgreement:
    """The same two raters, and people among themselves, with the grades of one part of people's grades alone."""

    part: Part
    figures: RaterAgreement
    among: RaterAgreement | None


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of two raters.

    With a person on a side, `parts` has the same figures by what people saw. `among` has those of all assessors among
    themselves (of blind grades where the figures are of blind ones), as `rater_agreement.among` counts them; None
    where both raters are people, and where nobody has judged.
    """

    first: Side
    second: Side
    figures: RaterAgreement
    parts: tuple[PartAgreement, ...]
    among: RaterAgreement | None

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.first, self.second


def compare_raters(collection: Collection, sides: Sides) -> Agreement:
    """The agreement of two raters. Beside a model, of a person only grades given blind count."""
    return _agreement(collection, sides, fingerprint(collection, sides.models))


def make_sides(first: NamedRater, second: NamedRater) -> Sides:
    """The two as they are compared: people blind where the other is a model. Raises NotComparable."""
    if first.name == second.name:
        raise NotComparable("Choose two different raters.")
    if {first.kind, second.kind} == {Kind.PEOPLE, Kind.ASSESSOR}:
        assessor = first if first.kind is Kind.ASSESSOR else second
        raise NotComparable(f"The consensus of people includes the grades of {assessor.name}.")
    if Kind.MODEL in (first.kind, second.kind):
        return Sides(blinded(first), blinded(second))
    return Sides(first, second)


def blinded(rater: NamedRater) -> NamedRater:
    """The rater as it stands beside a model: of people the grades given blind."""
    return replace(rater, is_blind=True) if rater.may_be_blind else rater


@lru_cache(maxsize=128)
def _agreement(collection: Collection, sides: Sides, _fingerprint: Fingerprint) -> Agreement:
    given = [raters.read_grades(collection, rater) for rater in (sides.first, sides.second)]
    parts = read_grades_by_part(collection, sides)
    return Agreement(
        first=_describe_side(collection, sides.first, given[0]),
        second=_describe_side(collection, sides.second, given[1]),
        figures=_compare_grades(given[0], given[1], collection),
        parts=tuple(
            PartAgreement(
                part, _compare_grades(these.first, these.second, collection), _compare_people(these.people, collection)
            )
            for part, these in parts.items()
        ),
        among=_compare_people(read_grades_of_people(collection, sides), collection),
    )


def _compare_grades(
    first: Mapping[PairId, int], second: Mapping[PairId, int], collection: Collection
) -> RaterAgreement:
    return rater_agreement.compare_pairs(_without_negative(first), _without_negative(second), collection.scale)


def _compare_people(people: list[Grades] | None, collection: Collection) -> RaterAgreement | None:
    return None if people is None else rater_agreement.among(people, collection.scale)


def _describe_side(collection: Collection, rater: NamedRater, given: Mapping[PairId, int]) -> Side:
    negative = sum(grade < 0 for grade in given.values())
    left_out = [(raters.count_answers_without_grade(rater), WITHOUT_GRADE), (negative, "negative grades")]
    if rater.is_person:
        left_out += _left_out_of_people(collection, rater, given)
    return Side(rater, len(given) - negative, tuple(LeftOut(count, words) for count, words in left_out if count))


def _left_out_of_people(
    collection: Collection, rater: NamedRater, given: Mapping[PairId, int]
) -> list[tuple[int, str]]:
    judged = raters.count_judgments(collection, rater)
    counting = ratings.assessor_grades(collection, blind=rater.is_blind)
    if rater.kind is Kind.ASSESSOR:
        counting = {rater.name: counting.get(rater.name, {})}
    seen = judged[Judgment.Outcome.GRADED] - sum(map(len, counting.values()))
    unresolved = len(set().union(*counting.values())) - len(given)
    return [
        (judged[Judgment.Outcome.CANNOT], "judgments “cannot judge”"),
        (seen, "grades not given blind"),
        (unresolved, "pairs on which people's grades give no consensus"),
    ]
