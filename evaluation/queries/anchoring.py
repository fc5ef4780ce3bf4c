"""Anchoring: what people do with their grade once a suggestion has been revealed to them."""

from dataclasses import dataclass

from annotate.models import Collection, Judgment
from annotate.queries import ratings
from evaluation.agreement.value import Value, undefined
from evaluation.queries.raters import Kind, NamedRater


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


def of(collection: Collection, person: NamedRater, model: NamedRater) -> Decisions:
    """The first-round judgments of an assessor, or of all, to whom this model's suggestion was revealed."""
    rows = ratings.current(collection).filter(
        outcome=Judgment.Outcome.GRADED,
        revealed_at__isnull=False,
        is_suggestion_seen=False,
        suggestion__rater=model.row,
    )
    if person.kind is Kind.ASSESSOR:
        rows = rows.filter(assessor__pseudonym=person.name)
    decided = list(rows.exclude(decided_at=None).values_list("first_grade", "grade", "suggestion__grade"))
    moves = [(abs(before - said), abs(after - said), before, after) for before, after, said in decided]
    changed = [move for move in moves if move[2] != move[3]]
    return Decisions(
        decided=len(decided),
        undecided=rows.filter(decided_at=None).count(),
        differing=sum(far_before > 0 for far_before, *_ in moves),
        changed=len(changed),
        onto=sum(far_after == 0 for _, far_after, *_ in changed),
        towards=sum(far_after < far_before for far_before, far_after, *_ in changed),
        away=sum(far_after > far_before for far_before, far_after, *_ in changed),
        raised=sum(after > before for *_, before, after in changed),
        lowered=sum(after < before for *_, before, after in changed),
    )


def _share(part: int, whole: int, reason: str) -> Value:
    return Value(part / whole) if whole else undefined(reason)
