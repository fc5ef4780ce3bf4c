"""What people said of the pairs of a recorded sample: grades that can correct a model, and why others have none."""

from collections.abc import Collection as Pairs
from dataclasses import dataclass

from django.db.models import F

from annotate.grades import ratings
from annotate.models import Claim, Collection, Judgment, Pair, PairDraw
from evaluation.studies.kinds.mixed.design import inputs

Named = ratings.Pair


@dataclass(frozen=True)
class Sampled:
    """Of the sampled pairs, `grades` that were given without a suggestion in view, and why the others have none."""

    grades: dict[Named, int]
    unanswered: dict[Named, str]


def of(draw: PairDraw, pairs: Pairs[Named]) -> Sampled:
    """An adjudicator's decision stands before the consensus, as everywhere; one that saw a suggestion counts as none.

    A pair that waits for more judgments is open: what its first ones say is not yet what people say.
    """
    collection, asked = draw.collection, set(pairs)
    decided = ratings.decisions(collection, blind=True)
    given = {**ratings.people(collection, blind=True), **decided}
    waiting = _waiting(draw)
    grades = {
        pair: grade for pair, grade in given.items() if grade is not None and pair in asked and pair not in waiting
    }
    why = _reasons(collection) | {pair: inputs.CANNOT for pair, grade in decided.items() if grade is None}
    why |= dict.fromkeys(waiting, inputs.OPEN)
    return Sampled(grades, {pair: why.get(pair, inputs.OPEN) for pair in sorted(asked - grades.keys())})


def _waiting(draw: PairDraw) -> set[Named]:
    """The pairs that people are still asked about."""
    if draw.collection.pair_draw_id != draw.pk:
        return set()
    rows = Pair.objects.filter(collection=draw.collection, is_drawn=True, counted__gt=0, counted__lt=F("target"))
    undecided = rows.exclude(adjudications__is_current=True)
    return set(undecided.values_list("topic__query_id", "passage_id"))


def _reasons(collection: Collection) -> dict[Named, str]:
    """Why pairs may have no grade that counts, whether or not they have one; what weighs most comes last."""
    skipped = Claim.objects.filter(collection=collection, state=Claim.State.SKIPPED).values_list(*ratings.NAMES)
    rows = ratings.current(collection)
    graded, cannot = (rows.filter(outcome=each) for each in (Judgment.Outcome.GRADED, Judgment.Outcome.CANNOT))
    blind = {pair for given in ratings.by_assessor(collection, blind=True).values() for pair in given}
    judged = set(graded.values_list(*ratings.NAMES))
    return {
        **dict.fromkeys(skipped, inputs.SKIPPED),
        **dict.fromkeys(judged - blind, inputs.IN_VIEW),
        **dict.fromkeys(cannot.values_list(*ratings.NAMES), inputs.CANNOT),
        **dict.fromkeys(blind, inputs.UNSETTLED),
    }
