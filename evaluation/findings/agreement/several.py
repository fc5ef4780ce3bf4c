"""Several raters of a collection together: who may be among them, and how far they agree."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self
from urllib.parse import urlencode

from annotate.models import Collection
from evaluation.findings.agreement import agreement, details
from evaluation.inputs import facts, raters
from evaluation.inputs.facts import Fingerprint
from evaluation.inputs.questions import Question
from evaluation.inputs.raters import Kind, NamedRater
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import SeveralRaters
from evaluation.statistics.bootstrap import IntervalJson, Resampling

# Of each level of alpha, drawn over the topics and over the pairs.
SeveralIntervals = dict[str, dict[str, IntervalJson]]


@dataclass(frozen=True)
class Several:
    """`counted` are the grades of each rater that count, in the order of the raters."""

    raters: tuple[NamedRater, ...]
    counted: tuple[int, ...]
    found: SeveralRaters


def list_people(listed: Sequence[NamedRater]) -> list[str]:
    """The names of all assessors among the raters."""
    return [rater.name for rater in listed if rater.kind is Kind.ASSESSOR]


def list_independent(listed: Sequence[NamedRater]) -> list[str]:
    """The names of all who may be compared together: assessors rather than their consensus and the decisions on what
    they said."""
    return [rater.name for rater in listed if rater.kind not in (Kind.PEOPLE, Kind.ADJUDICATED)]


def choose_raters(collection: Collection, names: Sequence[str]) -> tuple[NamedRater, ...]:
    """The raters as they are compared together: people blind where a model is among them.

    Raises raters.NoSuchRater and agreement.NotComparable, with the sentence.
    """
    given = tuple(raters.find_rater(collection, name) for name in names)
    if len(given) < 2:
        raise agreement.NotComparable("Choose two raters or more.")
    for place, first in enumerate(given):
        for second in given[place + 1 :]:
            agreement.make_sides(first, second)
    if any(rater.kind is Kind.MODEL for rater in given):
        return tuple(replace(rater, is_blind=True) if rater.may_be_blind else rater for rater in given)
    return given


def compare_several(collection: Collection, given: tuple[NamedRater, ...]) -> Several:
    return _compare_several(collection, given, facts.fingerprint(collection, list_models(given)))


def list_models(given: Sequence[NamedRater]) -> tuple[str, ...]:
    return tuple(rater.name for rater in given if rater.kind is Kind.MODEL)


class SeveralQuestion(Question[SeveralIntervals]):
    """Intervals of the agreement of several raters by their addresses."""

    kind = "several"
    page = "agreement_several"

    @classmethod
    def of_raters(cls, given: Sequence[NamedRater]) -> Self:
        names = json.dumps([rater.address for rater in given])
        return cls((("raters", names),), f"intervals of the agreement of {len(given)} raters", list_models(given))

    @property
    def address(self) -> str:
        return urlencode({"raters": json.loads(dict(self.arguments)["raters"])}, doseq=True)

    def compute(self, collection: Collection) -> SeveralIntervals:
        given = choose_raters(collection, json.loads(dict(self.arguments)["raters"]))
        return compute_intervals(collection, given)


def compute_intervals(collection: Collection, given: Sequence[NamedRater]) -> SeveralIntervals:
    grades, scale = _grades(collection, given), collection.scale.grades
    return {
        over: {
            level: interval.as_json()
            for level, interval in agreement_intervals.alpha_intervals(grades, scale, Resampling(over=over)).items()
        }
        for over in details.OVER
    }


@lru_cache(maxsize=32)
def _compare_several(collection: Collection, given: tuple[NamedRater, ...], _stamp: Fingerprint) -> Several:
    grades = _grades(collection, given)
    return Several(given, tuple(map(len, grades)), agreement_intervals.compare_raters(grades, collection.scale.grades))


def _grades(collection: Collection, given: Sequence[NamedRater]) -> list[dict[tuple[str, str], int]]:
    """Without negative ones, which are none."""
    return [
        {pair: grade for pair, grade in raters.read_grades(collection, rater).items() if grade >= 0} for rater in given
    ]
