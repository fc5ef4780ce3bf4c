"""Deciding a pair that people disagree about. One transaction each; a repeated save is one decision."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotate.adjudication import queries
from annotate.adjudication.queries import Shown
from annotate.judging.operations.judgments import NotOnScale
from annotate.models import Adjudication, Collection, Guidelines, Membership, Pair
from annotate.pairs import pair_states

DECIDED_MEANWHILE = "This pair was decided since you opened it. Look at that decision, and decide again if you must."


class NothingToDecide(ValueError):
    """A pair that nobody has judged."""


class DecidedMeanwhile(ValueError):
    """Somebody else decided the pair since it was shown: that decision stays until the person has seen it."""

    def __init__(self, decision: Adjudication) -> None:
        super().__init__(DECIDED_MEANWHILE)
        self.decision = decision


@dataclass(frozen=True)
class Decision:
    """A grade, or none: nobody can judge the pair, which stays a hole. `reason` is never empty."""

    grade: int | None
    reason: str

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError("a decision has a reason")


@transaction.atomic
def decide(
    *, adjudicator: Membership, pair_id: int, key: uuid.UUID, shown: Shown, decision: Decision, now: datetime
) -> Adjudication:
    """Store a decision on what was `shown`; with a key that was used for it before, answer with what is stored.

    A change is a new version, and its author is who changes. What assessors answered since the pair was shown marks the
    decision at once as having new evidence. Raises Pair.DoesNotExist for a pair of another collection, NotOnScale,
    permissions.NotAllowed, NothingToDecide, and DecidedMeanwhile.
    """
    pair = Pair.objects.select_for_update(no_key=True).get(pk=pair_id, collection=adjudicator.collection_id)
    collection = Collection.objects.get(pk=pair.collection_id)
    if decision.grade is not None and decision.grade not in collection.scale:
        raise NotOnScale(f"{decision.grade} is not a grade of this collection, whose scale is {collection.scale}")
    key = uuid.uuid5(key, f"{adjudicator.pk} {pair.pk}")
    if stored := Adjudication.objects.filter(key=key).first():
        return stored
    eligibility = queries.find_eligibility(adjudicator, pair)
    eligibility.check()
    current = Adjudication.objects.filter(pair=pair, is_current=True).select_related("adjudicator").first()
    if current and current.version != shown.version:
        raise DecidedMeanwhile(current)
    made = _insert(adjudicator, pair, key, shown, decision, now, current, eligibility.has_judged)
    pair_states.refresh(collection=collection, pairs=[pair], is_reference_known=True)
    return made


def _insert(
    adjudicator: Membership,
    pair: Pair,
    key: uuid.UUID,
    shown: Shown,
    decision: Decision,
    now: datetime,
    current: Adjudication | None,
    has_judged: bool,
) -> Adjudication:
    evidence = queries.gather_evidence(pair)
    if not evidence.judgments:
        raise NothingToDecide("Nobody has judged this pair: there is nothing to decide.")
    if current:
        Adjudication.objects.filter(pk=current.pk).update(is_current=False)
    return Adjudication.objects.create(
        pair=pair,
        adjudicator=adjudicator,
        version=current.version + 1 if current else 1,
        key=key,
        grade=decision.grade,
        reason=decision.reason.strip(),
        guidelines=Guidelines.objects.get(collection=pair.collection_id, is_current=True),
        judgments=evidence.judgments,
        has_new_evidence=evidence.acts != shown.acts,
        names_shown=shown.names,
        has_judged=has_judged,
        suggestion_id=shown.suggestion,
        created_at=now,
    )
