"""All raters of a collection against one another, and each person with himself on pairs that came again."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np

from annotate.formats.records import Qrels
from annotate.grades import model_raters, rankings, ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Judgment
from evaluation.agreement import alpha as agreement_alpha
from evaluation.agreement.pairing import Grades, side_by_side
from evaluation.agreement.value import Value, undefined
from evaluation.engine import ranking_shift
from evaluation.engine.rater_agreement import RaterAgreement, compare_pairs
from evaluation.findings import run_indexes
from evaluation.findings.agreement import agreement, details
from evaluation.findings.agreement.agreement import Sides
from evaluation.inputs import raters
from evaluation.inputs.choices import RatersQuestion
from evaluation.inputs.facts import Fingerprint, fingerprint
from evaluation.inputs.raters import Kind, NamedRater
from evaluation.measures import registry
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import SeveralRaters
from evaluation.statistics.bootstrap import IntervalJson, Resampling


def compare_all_with_self(collection: Collection) -> dict[str, RaterAgreement]:
    """The agreement of an assessor's first grades (rows) with those of the second round (columns), each as given at
    the save: by pseudonym, of those who were asked about something again."""
    return {
        pseudonym: compare_pairs(rounds[1], rounds[2], collection.scale)
        for pseudonym, rounds in sorted(_rounds(collection).items())
        if 2 in rounds
    }


def _rounds(collection: Collection) -> dict[str, dict[int, dict[PairId, int]]]:
    """By pseudonym and round the grades of the pairs that have a second one."""
    again = Judgment.objects.filter(
        assessor__collection=collection, is_current=True, outcome=Judgment.Outcome.GRADED, round=2
    )
    columns = ("assessor__pseudonym", *ratings.NAMES, "first_grade")
    found: dict[str, dict[int, dict[PairId, int]]] = defaultdict(lambda: defaultdict(dict))
    for pseudonym, query_id, passage_id, grade in again.values_list(*columns):
        found[pseudonym][2][query_id, passage_id] = grade
    if found:
        first = ratings.current_judgments(collection).filter(
            outcome=Judgment.Outcome.GRADED, pair__in=again.values("pair"), assessor__in=again.values("assessor")
        )
        for pseudonym, query_id, passage_id, grade in first.values_list(*columns):
            found[pseudonym][1][query_id, passage_id] = grade
    return found


HEAT_STEPS = 10


@dataclass(frozen=True)
class PeopleAlpha:
    """Alpha of all people among themselves over the `n` pairs that two of them or more graded."""

    n: int
    alpha: Value


@dataclass(frozen=True)
class MatrixCell:
    """Agreement of two raters, `first` and `second`, as they are compared; `n` pairs that both graded.

    Of a person with himself it is that of his first and second round. `among` is to stand beside it: people among
    themselves, blind beside a model; None where both are people, and where nobody has judged.
    """

    first: NamedRater
    second: NamedRater
    n: int
    alpha: Value
    among: PeopleAlpha | None = None

    @property
    def heat(self) -> int:
        """The step of the heat map, 0 to 9; alpha of 0 and below is 0."""
        return min(HEAT_STEPS - 1, max(0, int((self.alpha.value or 0) * HEAT_STEPS)))

    @property
    def is_self(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True)
class MatrixRow:
    """`cells` in the order of the raters; None where the two are not independent."""

    rater: NamedRater
    cells: tuple[MatrixCell | None, ...]


@dataclass(frozen=True)
class Matrix:
    """A row for each of `raters.listed`. `among` is what stands beside the figures of people with each of them: people
    among themselves; None for people. It is empty where nobody has judged."""

    rows: tuple[MatrixRow, ...]
    among: tuple[PeopleAlpha | None, ...]

    @property
    def has_repeats(self) -> bool:
        return any(cell is not None and cell.is_self for row in self.rows for cell in row.cells)


def compute_matrix(collection: Collection) -> Matrix:
    listed = tuple(raters.list_raters(collection))
    models = [rater.name for rater in listed if rater.kind is Kind.MODEL]
    return _matrix(collection, listed, fingerprint(collection, models))


@lru_cache(maxsize=16)
def _matrix(collection: Collection, listed: tuple[NamedRater, ...], _fingerprint: Fingerprint) -> Matrix:
    everybody = [*listed, *(replace(rater, is_blind=True) for rater in listed if rater.may_be_blind)]
    people = raters.read_people(collection) if any(rater.is_person for rater in listed) else {}
    given = [raters.read_grades(collection, rater, people) for rater in everybody]
    lines = dict(zip(everybody, side_by_side(given)[1], strict=True))
    among = {is_blind: _alpha_among(list(by_name.values()), collection) for is_blind, by_name in people.items()}
    cells = _self_cells(collection, listed)
    cells |= {
        (first, second): _cell(sides, lines, among.get(sides.is_blind), collection)
        for first in listed
        for second in listed
        if (sides := _sides(first, second))
    }
    return Matrix(
        tuple(MatrixRow(first, tuple(cells.get((first, second)) for second in listed)) for first in listed),
        tuple(None if rater.is_person else among[rater.kind is Kind.MODEL] for rater in listed) if among else (),
    )


def _sides(first: NamedRater, second: NamedRater) -> Sides | None:
    try:
        return agreement.make_sides(first, second)
    except agreement.NotComparable:
        return None


def _cell(
    sides: Sides, lines: dict[NamedRater, Grades], among: PeopleAlpha | None, collection: Collection
) -> MatrixCell:
    both = np.stack([lines[sides.first], lines[sides.second]])
    n = int((both >= 0).all(axis=0).sum())
    found = agreement_alpha.alpha(both, collection.scale.grades)
    return MatrixCell(sides.first, sides.second, n, found, None if sides.are_people else among)


def _self_cells(
    collection: Collection, listed: tuple[NamedRater, ...]
) -> dict[tuple[NamedRater, NamedRater], MatrixCell]:
    """Of everybody who was given pairs again."""
    found = compare_all_with_self(collection)
    return {
        (rater, rater): MatrixCell(rater, rater, found[rater.name].n, found[rater.name].alpha["ordinal"])
        for rater in listed
        if rater.kind is Kind.ASSESSOR and rater.name in found
    }


def _alpha_among(given: Sequence[Mapping[PairId, int]], collection: Collection) -> PeopleAlpha:
    grades = side_by_side(given)[1]
    n = int(((grades >= 0).sum(axis=0) >= 2).sum())
    return PeopleAlpha(n, agreement_alpha.alpha(grades, collection.scale.grades))


# Of each level of alpha, drawn over the topics and over the pairs.
SeveralIntervals = dict[str, dict[str, IntervalJson]]


@dataclass(frozen=True)
class Several:
    """`counted` are the grades of each rater that count, in the order of the raters."""

    raters: tuple[NamedRater, ...]
    counted: tuple[int, ...]
    result: SeveralRaters


def list_people(listed: Sequence[NamedRater]) -> list[str]:
    """The names of all assessors among the raters."""
    return [rater.name for rater in listed if rater.kind is Kind.ASSESSOR]


def list_independent(listed: Sequence[NamedRater]) -> list[str]:
    """The names of all who may be compared together: assessors rather than their consensus and the decisions on what
    they said."""
    return [rater.name for rater in listed if rater.kind not in (Kind.PEOPLE, Kind.ADJUDICATED)]


def list_models_beside_people(collection: Collection) -> tuple[NamedRater, ...]:
    """The reference, or without one the blind grades of people, and the models that may be shown to assessors; nothing
    where there is nobody to compare models with."""
    listed = raters.list_raters(collection)
    shown = {rater.name for rater in model_raters.without_earlier(collection)}
    firsts = [rater for rater in listed if rater.row is not None and rater.row.pk == collection.reference_rater_id]
    firsts += [replace(rater, is_blind=True) for rater in listed if rater.kind is Kind.PEOPLE]
    models = [rater for rater in listed if rater.kind is Kind.MODEL and rater.name in shown]
    return (firsts[0], *models) if firsts and models else ()


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
        return tuple(map(agreement.blinded, given))
    return given


def compare_several(collection: Collection, given: tuple[NamedRater, ...]) -> Several:
    return _compare_several(collection, given, fingerprint(collection, list_models(given)))


def list_models(given: Sequence[NamedRater]) -> tuple[str, ...]:
    return tuple(rater.name for rater in given if rater.kind is Kind.MODEL)


class SeveralQuestion(RatersQuestion[SeveralIntervals]):
    """Intervals of the agreement of several raters by their addresses."""

    kind = "several"
    page = "agreement_several"

    @classmethod
    def of_raters(cls, given: Sequence[NamedRater]) -> Self:
        names = json.dumps([rater.address for rater in given])
        return cls((("raters", names),), f"intervals of the agreement of {len(given)} raters", list_models(given))

    def compute(self, collection: Collection) -> SeveralIntervals:
        return compute_intervals(collection, choose_raters(collection, self.names))


def compute_intervals(collection: Collection, given: Sequence[NamedRater]) -> SeveralIntervals:
    grades = [agreement.read_own_grades(collection, rater) for rater in given]
    return {
        over: {
            level: interval.as_json()
            for level, interval in agreement_intervals.alpha_intervals(
                grades, collection.scale.grades, Resampling(over=over)
            ).items()
        }
        for over in details.OVER
    }


@lru_cache(maxsize=32)
def _compare_several(collection: Collection, given: tuple[NamedRater, ...], _fingerprint: Fingerprint) -> Several:
    grades = [agreement.read_own_grades(collection, rater) for rater in given]
    return Several(given, tuple(map(len, grades)), agreement_intervals.compare_raters(grades, collection.scale.grades))


MEASURE = "nDCG@10"
TOO_FEW_RUNS = "fewer than two runs rank the topics"
NOT_INDEXED = "the runs are not indexed yet: open the leaderboard once"


@dataclass(frozen=True)
class WithFirst:
    """How far a rater agrees with the first of several on the pairs that both graded, and Kendall's tau-b of the two
    rankings of the systems, by `MEASURE` on the same pairs alone."""

    rater: NamedRater
    found: RaterAgreement
    tau_b: Value


def compare_with_first(collection: Collection, given: tuple[NamedRater, ...]) -> tuple[WithFirst, ...]:
    """Each of the others, in their order: of the prompts of one model, say, beside the reference."""
    return _compare_with_first(collection, given, fingerprint(collection, list_models(given)))


@lru_cache(maxsize=32)
def _compare_with_first(
    collection: Collection, given: tuple[NamedRater, ...], _fingerprint: Fingerprint
) -> tuple[WithFirst, ...]:
    first, *others = (dict(agreement.read_own_grades(collection, rater)) for rater in given)
    measure, runs = registry.parse(MEASURE), rankings.published_runs(collection)
    why = "" if len(runs) > 1 else TOO_FEW_RUNS
    if not why and run_indexes.is_slow_to_build(collection, runs, [measure]):
        why = NOT_INDEXED
    index = None if why else run_indexes.load_index(collection, runs, [measure])

    def compute_tau(one: dict[PairId, int], other: dict[PairId, int]) -> Value:
        if index is None:
            return undefined(why)
        common = one.keys() & other.keys()
        mine, theirs = (_nest({pair: grades[pair] for pair in common}) for grades in (one, other))
        return ranking_shift.compare(index, mine, theirs, measure, highest=collection.scale.high).tau_b

    return tuple(
        WithFirst(rater, compare_pairs(first, grades, collection.scale), compute_tau(first, grades))
        for rater, grades in zip(given[1:], others, strict=True)
    )


def _nest(grades: dict[PairId, int]) -> Qrels:
    qrels: Qrels = {}
    for (query_id, passage_id), grade in grades.items():
        qrels.setdefault(query_id, {})[passage_id] = grade
    return qrels
