"""How far two raters of a collection agree, on which grades, and what was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from annotate.formats.records import Qrels
from annotate.grades import ratings
from annotate.grades.ratings import Pair
from annotate.models import Collection, Judgment
from evaluation.engine import rater_agreement
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement import common_pairs
from evaluation.findings.agreement.common_pairs import Grades, Sides
from evaluation.inputs import facts, raters
from evaluation.inputs.facts import Stamp
from evaluation.inputs.person_grades import Part
from evaluation.inputs.raters import Kind, NamedRater


class NotComparable(ValueError):
    """The two are not independent of one another; the message says how."""


@dataclass(frozen=True)
class Side:
    """A rater, how many grades of it count, and what of it was left out: numbers with their words."""

    rater: NamedRater
    counted: int
    left_out: tuple[tuple[int, str], ...]


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


def agreement(collection: Collection, first: str, second: str) -> Agreement:
    """The agreement of two raters, by their text names (`raters.named`). Beside a model, of a person only grades
    given blind count. Raises raters.NoSuchRater and NotComparable, with the sentence."""
    return of(collection, compared(raters.named(collection, first), raters.named(collection, second)))


def of(collection: Collection, sides: Sides) -> Agreement:
    """The same of two raters as they are compared."""
    return _agreement(collection, sides, facts.stamp(collection, sides.models))


def compared(first: NamedRater, second: NamedRater) -> Sides:
    """The two as they are compared: people blind where the other is a model. Raises NotComparable."""
    if first.name == second.name:
        raise NotComparable("Choose two different raters.")
    if {first.kind, second.kind} == {Kind.PEOPLE, Kind.ASSESSOR}:
        assessor = first if first.kind is Kind.ASSESSOR else second
        raise NotComparable(f"The consensus of people includes the grades of {assessor.name}.")
    if Kind.MODEL in (first.kind, second.kind):
        return Sides(_blind(first), _blind(second))
    return Sides(first, second)


def _blind(rater: NamedRater) -> NamedRater:
    return replace(rater, is_blind=True) if rater.may_be_blind else rater


@lru_cache(maxsize=128)
def _agreement(collection: Collection, sides: Sides, _stamp: Stamp) -> Agreement:
    given = [raters.grades(collection, rater) for rater in (sides.first, sides.second)]
    parts = common_pairs.grades_by_part(collection, sides)
    return Agreement(
        first=_side(collection, sides.first, given[0]),
        second=_side(collection, sides.second, given[1]),
        figures=_compare(given[0], given[1], collection),
        parts=tuple(
            PartAgreement(part, _compare(these.first, these.second, collection), _among(these.people, collection))
            for part, these in parts.items()
        ),
        among=_among(common_pairs.among_people(collection, sides), collection),
    )


def _compare(first: Mapping[Pair, int], second: Mapping[Pair, int], collection: Collection) -> RaterAgreement:
    return rater_agreement.compare(_nested(first), _nested(second), collection.scale)


def _among(people: list[Grades] | None, collection: Collection) -> RaterAgreement | None:
    return None if people is None else rater_agreement.among(people, collection.scale)


def _nested(grades: Mapping[Pair, int]) -> Qrels:
    qrels: Qrels = {}
    for (query_id, passage_id), grade in grades.items():
        qrels.setdefault(query_id, {})[passage_id] = grade
    return qrels


def _side(collection: Collection, rater: NamedRater, given: Mapping[Pair, int]) -> Side:
    negative = sum(grade < 0 for grade in given.values())
    left_out = [
        (raters.answers_without_grade(rater), "answers without a grade on the scale"),
        (negative, "negative grades"),
    ]
    if rater.is_person:
        left_out += _left_out_of_people(collection, rater, given)
    return Side(rater, len(given) - negative, tuple((count, words) for count, words in left_out if count))


def _left_out_of_people(collection: Collection, rater: NamedRater, given: Mapping[Pair, int]) -> list[tuple[int, str]]:
    judged = raters.judgments(collection, rater)
    counting = ratings.by_assessor(collection, blind=rater.is_blind)
    if rater.kind is Kind.ASSESSOR:
        counting = {rater.name: counting.get(rater.name, {})}
    seen = judged[Judgment.Outcome.GRADED] - sum(map(len, counting.values()))
    unresolved = len(set().union(*counting.values())) - len(given)
    return [
        (judged[Judgment.Outcome.CANNOT], "judgments “cannot judge”"),
        (seen, "grades not given blind"),
        (unresolved, "pairs on which people's grades give no consensus"),
    ]
