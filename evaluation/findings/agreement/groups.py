"""Agreement of two raters by topic, by grade, by where the pairs come from, and over the time of people's grades."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cached_property, lru_cache
from typing import NotRequired, TypedDict, cast

from django.db.models import Count, Q, QuerySet, Sum

from annotate.grades import ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Judgment, Pair
from evaluation.agreement import groups
from evaluation.agreement.groups import GroupAgreement, K
from evaluation.agreement.pairing import Couples, list_couples
from evaluation.agreement.value import Value, as_json, read_value, share, undefined
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement import agreement
from evaluation.findings.agreement.agreement import Grades, Sides
from evaluation.inputs.facts import Fingerprint, fingerprint
from evaluation.inputs.raters import Kind, NamedRater

FoundAgreement = GroupAgreement | RaterAgreement
NOBODY_TWICE = "no pair was judged by two people"

FIGURES: dict[str, Callable[[FoundAgreement], Value]] = {
    "alpha": lambda found: found.alpha["ordinal"],
    "kappa": lambda found: found.kappa["unweighted"],
    "binary": lambda found: found.kappa["binary"],
    "ac1": lambda found: found.ac1,
    "equal": lambda found: found.share_equal,
    "difference": lambda found: found.mean_difference,
}


class GroupFiguresJson(TypedDict):
    n: int
    alpha: float | None
    kappa: float | None
    binary: float | None
    ac1: float | None
    equal: float | None
    difference: float | None
    reason: NotRequired[dict[str, str]]


class GroupJson(TypedDict):
    key: str
    figures: GroupFiguresJson
    among: GroupFiguresJson | None


@dataclass(frozen=True)
class GroupFigures:
    """`n` pairs, and the values by the names of FIGURES."""

    n: int
    values: dict[str, Value]

    def as_json(self) -> GroupFiguresJson:
        return cast(GroupFiguresJson, {"n": self.n, **as_json(self.values)})  # its fields are FIGURES


@dataclass(frozen=True)
class Group:
    """`key` says which pairs. `among` is of people among themselves on pairs of the group: `n` is 0 where none was
    judged by two of them, and None is where there is nothing to set beside the figures."""

    key: str
    figures: GroupFigures
    among: GroupFigures | None = None

    @property
    def people(self) -> "Group | None":
        """People among themselves as a group, who have no mean difference; None without a pair of two."""
        if self.among is None or not self.among.n:
            return None
        values = {name: value for name, value in self.among.values.items() if name != "difference"}
        return Group("people among themselves", GroupFigures(self.among.n, values))

    def as_json(self) -> GroupJson:
        among = None if self.among is None else self.among.as_json()
        return {"key": self.key, "figures": self.figures.as_json(), "among": among}


NOBODY = GroupFigures(0, {name: undefined(NOBODY_TWICE) for name in FIGURES})


def read_figures(found: FoundAgreement) -> GroupFigures:
    return GroupFigures(found.n, {name: value(found) for name, value in FIGURES.items()})


def read_figures_of_people(found: FoundAgreement | None) -> GroupFigures:
    """Of people among themselves, who may share no pair."""
    return read_figures(found) if found is not None and found.n else NOBODY


def read_group(stored: GroupJson) -> Group:
    """What `Group.as_json` wrote."""
    among = None if stored["among"] is None else _figures(stored["among"])
    return Group(stored["key"], _figures(stored["figures"]), among)


def _figures(stored: GroupFiguresJson) -> GroupFigures:
    return GroupFigures(stored["n"], {name: read_value(stored, name) for name in FIGURES})


class Origin(Enum):
    """In the order in which they are shown."""

    HOLE = "hole: a pooled run retrieved it, the reference has no grade"
    DRAWN = "synthetic hole: its grade of the reference was dropped"
    BOTH = "graded by the reference, retrieved by a pooled run"
    REFERENCE = "graded by the reference, retrieved by no pooled run"
    OUTSIDE = "neither in the pool nor graded by the reference"


@dataclass(frozen=True, order=True)
class Source:
    """An origin as the key of a group."""

    place: int
    words: str

    def __str__(self) -> str:
        return self.words


SOURCES = {origin: Source(place, origin.value) for place, origin in enumerate(Origin)}


def fingerprint_sources(collection: Collection) -> Fingerprint:
    """While it is the same, so are all sources: imports, draws and a pool that is built change it, judging does not."""
    is_in = {"closed": Q(is_reference_closed=True), "pooled": Q(is_pooled=True, best_rank__isnull=False)}
    counts = {name: Count("pk", filter=which) for name, which in is_in.items()}
    sums = {f"{name}_sum": Sum("pk", filter=which) for name, which in is_in.items()}
    return tuple(Pair.objects.filter(collection=collection).aggregate(Count("pk"), **counts, **sums).values())


@lru_cache(maxsize=2)
def list_sources(collection: Collection, _fingerprint: Fingerprint) -> Mapping[PairId, Source]:
    """The source of each pair of the collection, as it is under this fingerprint."""
    dropped = ratings.dropped_grades(collection).keys()
    rows = Pair.objects.filter(collection=collection).values_list(
        "topic__query_id", "passage_id", "best_rank", "is_pooled", "is_reference_closed"
    )
    return {
        (query_id, passage_id): SOURCES[
            Origin.DRAWN
            if (query_id, passage_id) in dropped
            else _origin(is_pooled and best_rank is not None, is_closed)
        ]
        for query_id, passage_id, best_rank, is_pooled, is_closed in rows.iterator()
    }


def _origin(is_retrieved: bool, is_closed: bool) -> Origin:
    if is_closed:
        return Origin.BOTH if is_retrieved else Origin.REFERENCE
    return Origin.HOLE if is_retrieved else Origin.OUTSIDE


MOST_DAYS = 14
MOST_WEEKS = 26


@dataclass(frozen=True, eq=False)
class Grouped:
    """Groups without a pair that both graded are left out. `topics` are in the order of their ids, `grades` are those
    of the first rater from the lowest up, `sources` in the order of `Origin`. `periods` are days (2026-03-01), weeks
    (2026-W09) or months (2026-03) in UTC, whichever are few enough; none where neither rater is people. A pair belongs
    to the time when people gave the last of its grades that are compared."""

    topics: tuple[Group, ...]
    grades: tuple[Group, ...]
    sources: tuple[Group, ...]
    periods: tuple[Group, ...]


def compare_in_groups(collection: Collection, sides: Sides) -> Grouped:
    """The agreement of two raters in groups."""
    return _grouped(collection, sides, fingerprint(collection, sides.models), fingerprint_sources(collection))


@dataclass(frozen=True, eq=False)
class GivenGrades:
    """Grades of two raters, and of people among themselves where that is to stand beside them."""

    first: Grades
    second: Grades
    people: list[Grades] | None
    collection: Collection

    @property
    def pairs(self) -> set[PairId]:
        """All that may fall into a group."""
        return (self.first.keys() & self.second.keys()).union(*(self.people or ()))

    @cached_property
    def _couples(self) -> Couples | None:
        return None if self.people is None else list_couples(self.people)

    def group_by(self, keys: Mapping[PairId, K]) -> tuple[Group, ...]:
        """One group for each key that has a pair which both graded."""
        scale, split_at = self.collection.scale.grades, self.collection.scale.relevant_from
        found = groups.compare_groups(self.first, self.second, keys, scale, split_at).by_key
        if self._couples is None:
            return tuple(Group(str(key), read_figures(figures)) for key, figures in found.items())
        among = groups.compare_groups_among_people(self._couples, keys, scale, split_at).by_key
        return tuple(
            Group(str(key), read_figures(figures), read_figures_of_people(among.get(key)))
            for key, figures in found.items()
        )


def read_given_grades(collection: Collection, sides: Sides) -> GivenGrades:
    first, second = agreement.read_grades(collection, sides)
    return GivenGrades(first, second, agreement.read_grades_of_people(collection, sides), collection)


@lru_cache(maxsize=64)
def _grouped(collection: Collection, sides: Sides, _fingerprint: Fingerprint, of_sources: Fingerprint) -> Grouped:
    found = read_given_grades(collection, sides)
    sources = list_sources(collection, of_sources)
    return Grouped(
        topics=found.group_by({pair: pair[0] for pair in found.pairs}),
        grades=found.group_by(found.first),
        sources=found.group_by({pair: sources[pair] for pair in found.pairs if pair in sources}),
        periods=found.group_by(_periods(collection, sides, found)) if sides.person else (),
    )


def _periods(collection: Collection, sides: Sides, found: GivenGrades) -> dict[PairId, str]:
    compared = agreement.read_times(collection, sides.assessors)
    times = [compared[pair] for pair in found.first.keys() & found.second.keys() if pair in compared]
    if not times:
        return {}
    form = _period_format((max(times).astimezone(UTC).date() - min(times).astimezone(UTC).date()).days + 1)
    of_all = agreement.read_times(collection) if sides.assessors else compared
    dated: dict[PairId, datetime] = {**of_all, **compared}
    return {pair: at.astimezone(UTC).strftime(form) for pair, at in dated.items() if pair in found.pairs}


def _period_format(days: int) -> str:
    return "%Y-%m-%d" if days <= MOST_DAYS else "%G-W%V" if days <= 7 * MOST_WEEKS else "%Y-%m"


@dataclass(frozen=True)
class Move:
    """A grade before and after the reveal of the `suggestion`, which is a grade as well."""

    is_decided: bool
    before: int
    after: int
    suggestion: int

    @property
    def far_before(self) -> int:
        return abs(self.before - self.suggestion)

    @property
    def far_after(self) -> int:
        return abs(self.after - self.suggestion)


@dataclass(frozen=True)
class Decisions:
    """Grades after which a model's suggestion was revealed, by what became of them.

    `differing` of the `decided` differed from the suggestion. `towards` and `away` say in which direction the `changed`
    ones went (`onto` the suggestion is part of towards, `past` it on to an equal distance is neither), `raised` and
    `lowered` what that did to the grade. `undecided` were not decided on.
    """

    decided: int
    undecided: int
    differing: int
    changed: int
    onto: int
    towards: int
    away: int
    raised: int
    lowered: int

    @property
    def share_changed(self) -> Value:
        """Of all decided grades."""
        return share(self.changed, self.decided, "nobody has decided after a reveal")

    @property
    def share_of_differing(self) -> Value:
        """Of those that could be drawn towards the suggestion: the decided ones that differed from it."""
        return share(self.towards, self.differing, "no grade differed from its suggestion")


def count_decisions(collection: Collection, person: NamedRater, model: NamedRater) -> Decisions:
    """The first-round judgments of an assessor, or of all, to whom this model's suggestion was revealed."""
    return _decisions([move for moves in _moves(collection, person, model).values() for move in moves])


def count_by_assessor(collection: Collection, person: NamedRater, model: NamedRater) -> dict[str, Decisions]:
    """The same of each assessor by pseudonym; nothing of those to whom nothing was revealed."""
    return {name: _decisions(moves) for name, moves in _moves(collection, person, model).items()}


def count_for_everybody(collection: Collection) -> dict[str, Decisions]:
    """By pseudonym, of each assessor to whom the suggestion of any model was revealed."""
    return {name: _decisions(moves) for name, moves in _by_name(_revealed(collection)).items()}


def _moves(collection: Collection, person: NamedRater, model: NamedRater) -> dict[str, list[Move]]:
    rows = _revealed(collection).filter(suggestion__rater=model.row)
    if person.kind is Kind.ASSESSOR:
        rows = rows.filter(assessor__pseudonym=person.name)
    return _by_name(rows)


def _revealed(collection: Collection) -> QuerySet[Judgment]:
    return ratings.current_judgments(collection).filter(
        outcome=Judgment.Outcome.GRADED, revealed_at__isnull=False, is_suggestion_seen=False
    )


def _by_name(rows: QuerySet[Judgment]) -> dict[str, list[Move]]:
    columns = ("assessor__pseudonym", "decided_at", "first_grade", "grade", "suggestion__grade")
    found: dict[str, list[Move]] = {}
    for name, decided_at, before, after, suggestion in rows.order_by("assessor__pseudonym").values_list(*columns):
        found.setdefault(name, []).append(Move(decided_at is not None, before, after, suggestion))
    return found


def _decisions(moves: list[Move]) -> Decisions:
    decided = [move for move in moves if move.is_decided]
    changed = [move for move in decided if move.before != move.after]
    return Decisions(
        decided=len(decided),
        undecided=len(moves) - len(decided),
        differing=sum(move.far_before > 0 for move in decided),
        changed=len(changed),
        onto=sum(move.far_after == 0 for move in changed),
        towards=sum(move.far_after < move.far_before for move in changed),
        away=sum(move.far_after > move.far_before for move in changed),
        raised=sum(move.after > move.before for move in changed),
        lowered=sum(move.after < move.before for move in changed),
    )
