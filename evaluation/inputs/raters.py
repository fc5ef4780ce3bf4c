"""Who gave grades in a collection, by the text names of addresses and API; systems of a model's own family."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.formats import faults
from annotate.grades import rankings, ratings
from annotate.grades.ratings import PairId
from annotate.models import Adjudication, Collection, HoleDraw, Judgment, Membership, Rater, Suggestion
from evaluation.engine import circularity

REFERENCE = "reference"
DROPPED = "dropped"
ADJUDICATED = "adjudicated"
PEOPLE = "people"
BLIND = ":blind"
LOWEST = ":unanswered-lowest"
PeopleGrades = dict[bool, dict[str, dict[PairId, int]]]


class NoSuchRater(ValueError):
    """The collection has nobody of that name."""


class Kind(Enum):
    REFERENCE = "reference"
    DROPPED = "dropped grades of the reference"
    ADJUDICATED = "decisions of adjudicators"
    PEOPLE = "consensus of people"
    ASSESSOR = "assessor"
    MODEL = "model"


@dataclass(frozen=True)
class NamedRater:
    """A rater under the name without `:blind`. With `is_blind` only the grades count that a person gave before any
    suggestion was in view, and of decisions those that were made without one. `row` is the Rater of references and
    models. With `counts_unanswered` a model's answers without a grade count as the lowest of the scale, the recipe of
    Upadhyay et al. 2024: a choice of the analysis, nothing is stored so."""

    name: str
    kind: Kind
    is_blind: bool = False
    row: Rater | None = None
    counts_unanswered: bool = False
    has_unanswered: bool = field(default=False, compare=False)

    @property
    def address(self) -> str:
        """The text name: `people:blind`."""
        return self.name + (BLIND if self.is_blind else LOWEST if self.counts_unanswered else "")

    @property
    def words(self) -> str:
        if self.counts_unanswered:
            return f"{self.name}, no grade counted as the lowest"
        return f"{self.name}, blind" if self.is_blind else self.name

    @property
    def is_person(self) -> bool:
        """An assessor, or all of them."""
        return self.kind in (Kind.PEOPLE, Kind.ASSESSOR)

    @property
    def may_be_blind(self) -> bool:
        """Whether suggestions may have been in view when the grades were given."""
        return self.is_person or self.kind is Kind.ADJUDICATED


def list_raters(collection: Collection) -> list[NamedRater]:
    """Those who have grades to compare: references, what a draw dropped, decisions, people, models."""
    with_grades = set(ratings.current_judgments(collection).values_list("assessor__pseudonym", flat=True).distinct())
    if with_grades:
        with_grades.add(PEOPLE)
    if HoleDraw.objects.filter(collection=collection, undone_at=None).exists():
        with_grades.add(DROPPED)
    if Adjudication.objects.filter(pair__collection=collection, is_current=True, grade__isnull=False).exists():
        with_grades.add(ADJUDICATED)
    return [rater for rater in _everybody(collection) if rater.row is not None or rater.name in with_grades]


def find_rater(collection: Collection, name: str) -> NamedRater:
    """The rater of a text name: `reference` or a rater's name, `dropped`, `adjudicated`, `people`, an assessor's
    pseudonym; of the last three also with `:blind` behind it, of a model with `:unanswered-lowest`. Raises
    NoSuchRater, naming who there is."""
    everybody = list(_everybody(collection))
    plain = name.removesuffix(BLIND)
    for rater in everybody:
        if name in _names(rater, collection):
            return rater
        if rater.may_be_blind and plain == rater.name:
            return replace(rater, is_blind=True)
        if rater.kind is Kind.MODEL and name == rater.name + LOWEST:
            return replace(rater, counts_unanswered=True)
    known = ", ".join(rater.name for rater in everybody)
    raise NoSuchRater(f"There is no rater {faults.quoted(name)} in this collection; there are {known}.")


def read_people(collection: Collection) -> PeopleGrades:
    """What each assessor gave: final grades, and (True) those given blind. A read of all judgments for either."""
    return {is_blind: ratings.assessor_grades(collection, blind=is_blind) for is_blind in (False, True)}


def read_grades(collection: Collection, rater: NamedRater, people: PeopleGrades | None = None) -> dict[PairId, int]:
    """The grades that count for this rater; those of a reference may be negative. Judgments are read, unless the caller
    has them (`people`)."""
    if rater.kind is Kind.DROPPED:
        return ratings.dropped_grades(collection)
    if rater.kind is Kind.ADJUDICATED:
        return ratings.adjudicated_grades(collection, blind=rater.is_blind)
    if rater.kind is Kind.PEOPLE:
        given = people[rater.is_blind] if people else None
        return ratings.consensus_grades(collection, blind=rater.is_blind, given=given)
    if rater.kind is Kind.ASSESSOR:
        by_name = people[rater.is_blind] if people else ratings.assessor_grades(collection, blind=rater.is_blind)
        return by_name.get(rater.name, {})
    assert rater.row is not None
    own = ratings.rater_grades(rater.row)
    if not rater.counts_unanswered:
        return own
    silent = _unanswered(collection).filter(rater=rater.row).values_list(*ratings.NAMES)
    return {**dict.fromkeys(silent, collection.scale.low), **own}


def count_answers_without_grade(rater: NamedRater) -> int:
    """How many answers of a model are no grade and count as none: off the scale, not parsed, refused, cut off ..."""
    if rater.row is None or rater.kind is not Kind.MODEL or rater.counts_unanswered:
        return 0
    return _unanswered(rater.row.collection).filter(rater=rater.row).count()


def count_judgments(collection: Collection, rater: NamedRater) -> dict[str, int]:
    """How many judgments of the first round a person (or all of them) has, by outcome."""
    rows = ratings.current_judgments(collection)
    if rater.kind is Kind.ASSESSOR:
        rows = rows.filter(assessor__pseudonym=rater.name)
    return {outcome: rows.filter(outcome=outcome).count() for outcome in Judgment.Outcome.values}


def _unanswered(collection: Collection) -> QuerySet[Suggestion]:
    """First answers of models that came to their end without a grade."""
    rows = Suggestion.objects.visible().filter(rater__collection=collection, draw=0)
    on_the_way = (Suggestion.State.DONE, Suggestion.State.QUEUED, Suggestion.State.SUBMITTED)
    return rows.exclude(state__in=on_the_way)


def _everybody(collection: Collection) -> Iterator[NamedRater]:
    is_silent = Exists(_unanswered(collection).filter(rater=OuterRef("pk")))
    rows = list(Rater.objects.filter(collection=collection).annotate(has_unanswered=is_silent).order_by("pk"))
    references = [row for row in rows if row.kind == Rater.Kind.REFERENCE]
    references.sort(key=lambda row: row.pk != collection.reference_rater_id)
    yield from (NamedRater(row.name, Kind.REFERENCE, row=row) for row in references)
    yield NamedRater(DROPPED, Kind.DROPPED)
    yield NamedRater(ADJUDICATED, Kind.ADJUDICATED)
    yield NamedRater(PEOPLE, Kind.PEOPLE)
    has_judged = Q(role=Membership.Role.ASSESSOR) | Q(judgments__isnull=False)
    assessors = Membership.objects.filter(has_judged, collection=collection).distinct().order_by("pk")
    yield from (NamedRater(name, Kind.ASSESSOR) for name in assessors.values_list("pseudonym", flat=True))
    yield from (
        NamedRater(row.name, Kind.MODEL, row=row, has_unanswered=row.has_unanswered)
        for row in rows
        if row.kind == Rater.Kind.MODEL
    )


def _names(rater: NamedRater, collection: Collection) -> set[str]:
    is_the_reference = rater.row is not None and rater.row.pk == collection.reference_rater_id
    return {rater.name, REFERENCE} if is_the_reference else {rater.name}


@dataclass(frozen=True)
class Relatives:
    """`known` is what the families of `systems` were found in; see `judge_words`."""

    model: str
    known: str
    systems: tuple[str, ...]


def find_relatives(collection: Collection, models: Iterable[str]) -> list[Relatives]:
    """The model raters of these names that have relatives among the systems, by their names."""
    named = sorted(set(models))
    families = rankings.model_families(collection) if named else {}
    known = {name: describe_judge(collection, name) for name in named} if any(families.values()) else {}
    found = [Relatives(name, words, circularity.own_systems(families, words)) for name, words in known.items()]
    return [each for each in found if each.systems]


def describe_judge(collection: Collection, name: str) -> str:
    """What is known of a model rater: its name and its model's, and those of the models that taught a calibrated judge.
    Commas stand between them; empty without such a rater."""
    rater = Rater.objects.filter(collection=collection, name=name, kind=Rater.Kind.MODEL).first()
    if rater is None:
        return ""
    teachers = [each["name"] for each in rater.parameters.get("models", [])]
    raters = [rater, *Rater.objects.filter(collection=collection, name__in=teachers).order_by("name")]
    return ", ".join(dict.fromkeys(text for each in raters for text in _named(each) if text))


def _named(rater: Rater) -> tuple[str, str]:
    return rater.name.replace(",", " "), str(rater.parameters.get("model", "")).replace(",", " ")
