"""Anchoring: what people do with their grade once a suggestion has been revealed to them."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.grades import ratings
from annotate.models import Collection, Judgment
from evaluation.agreement.value import Value, undefined
from evaluation.inputs.raters import Kind, NamedRater


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
        return _share(self.changed, self.decided, "nobody has decided after a reveal")

    @property
    def share_of_differing(self) -> Value:
        """Of those that could be drawn towards the suggestion: the decided ones that differed from it."""
        return _share(self.towards, self.differing, "no grade differed from its suggestion")


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


def _share(part: int, whole: int, reason: str) -> Value:
    return Value(part / whole) if whole else undefined(reason)
