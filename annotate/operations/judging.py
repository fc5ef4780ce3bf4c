"""Recording what a person says of a pair. One transaction each; a repeated save is one judgment."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from annotate.models import Claim, Judgment, Membership, Pair
from annotate.operations import holding, pair_states
from annotate.queries import arms
from annotate.rules import blinding

SITTING_PAUSE = timedelta(minutes=30)


class NotOnScale(ValueError):
    """A grade that the collection's scale does not have."""


class AlreadyGraded(ValueError):
    """The same card was saved before with another answer: the stored one stays until the person reopens it."""

    def __init__(self, judgment: Judgment) -> None:
        super().__init__("This pair was saved before, from another tab perhaps. Press u to reopen and change it.")
        self.judgment = judgment


@dataclass(frozen=True)
class Answer:
    """What the person said. Exactly one of `grade` and `reason` (why it cannot be judged) is given."""

    grade: int | None = None
    reason: str = ""
    is_unsure: bool = False
    comment: str = ""
    visible_ms: int | None = None
    wall_ms: int | None = None
    was_cut: bool = False
    shown_at: datetime | None = None
    outcome: str = field(init=False)

    def __post_init__(self) -> None:
        if (self.grade is None) == (self.reason == ""):
            raise ValueError("an answer is a grade, or a reason why there is none")
        outcome = Judgment.Outcome.GRADED if self.grade is not None else Judgment.Outcome.CANNOT
        object.__setattr__(self, "outcome", outcome)


@transaction.atomic
def record_judgment(
    *, assessor: Membership, token: uuid.UUID, key: uuid.UUID, answer: Answer, now: datetime
) -> Judgment:
    """Store the first judgment of a claimed pair; with a key that was used for it before, answer with what is stored.

    A grade that comes after the claim ran out is kept; where the target was met meanwhile it is marked extra.
    Raises Claim.DoesNotExist for a token that is not the assessor's, NotOnScale, and AlreadyGraded where the pair
    holds another answer.
    """
    assessor = holding.assessor(assessor)
    _check_scale(assessor, answer)
    # Only the claim's own row is locked: topic and suggestion are everybody's.
    claims = Claim.objects.select_for_update(of=("self",)).select_related("pair__topic", "suggestion__rater")
    skipped = Claim.objects.filter(assessor=assessor, pair=OuterRef("pair"), state=Claim.State.SKIPPED)
    claim = claims.annotate(was_skipped=Exists(skipped)).get(assessor=assessor, token=token)
    claim.assessor = assessor
    key = _scoped(key, "save", claim)
    earlier = Judgment.objects.filter(pair=claim.pair_id, assessor=assessor, round=claim.round)
    if stored := earlier.order_by("version").last():
        return _repeated(earlier.filter(key=key).first() or stored, answer, key)
    pair = Pair.objects.select_for_update().get(pk=claim.pair_id)
    judgment = _insert(claim, answer, key, now, version=1, is_extra=pair.counted >= pair.target)
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.JUDGED, closed_at=now)
    pair_states.refresh(collection=assessor.collection, pairs=[pair], is_reference_known=True)
    _count(judgment, claim.was_skipped)
    return judgment


@transaction.atomic
def change_judgment(
    *, assessor: Membership, judgment_id: int, key: uuid.UUID, answer: Answer, now: datetime
) -> Judgment:
    """Store another answer of the same person to the same pair; the earlier one stays in the history.

    Raises Judgment.DoesNotExist for a judgment that is not the assessor's, and NotOnScale.
    """
    assessor = holding.assessor(assessor)
    _check_scale(assessor, answer)
    asked = Judgment.objects.get(pk=judgment_id, assessor=assessor)
    pair = Pair.objects.select_for_update().get(pk=asked.pair_id)
    versions = Judgment.objects.filter(pair=pair, assessor=assessor, round=asked.round)
    current = versions.select_related("claim__pair__topic", "claim__suggestion__rater").get(is_current=True)
    current.claim.assessor = assessor
    key = _scoped(key, "change", current.claim)
    if stored := versions.filter(key=key).first():
        return _repeated(stored, answer, key)
    revealed = versions.filter(revealed_at__isnull=False).select_related("suggestion__rater").order_by("version")
    Judgment.objects.filter(pk=current.pk).update(is_current=False)
    judgment = _insert(
        current.claim,
        answer,
        key,
        now,
        version=current.version + 1,
        is_extra=current.is_extra,
        revealed=revealed.first(),
    )
    pair_states.refresh(collection=assessor.collection, pairs=[pair], is_reference_known=True)
    _count(judgment, was_skipped=False)
    return judgment


@transaction.atomic
def decide_after_reveal(*, assessor: Membership, judgment_id: int, grade: int, now: datetime) -> Judgment:
    """Keep or change the grade once the suggestion has been revealed; the first decision stands.

    Raises Judgment.DoesNotExist where there is nothing of the assessor's to decide, and NotOnScale.
    """
    assessor = holding.assessor(assessor)
    _check_scale(assessor, Answer(grade=grade))
    judgment = Judgment.objects.select_for_update().get(
        pk=judgment_id, assessor=assessor, is_current=True, revealed_at__isnull=False, outcome="GRADED"
    )
    if judgment.decided_at is None:
        pair = Pair.objects.select_for_update().get(pk=judgment.pair_id)
        judgment.grade, judgment.decided_at = grade, now
        judgment.save(update_fields=["grade", "decided_at"])
        pair_states.refresh(collection=assessor.collection, pairs=[pair], is_reference_known=True)
    return judgment


def _check_scale(assessor: Membership, answer: Answer) -> None:
    scale = assessor.collection.scale
    if answer.grade is not None and answer.grade not in scale:
        raise NotOnScale(f"{answer.grade} is not a grade of this collection, whose scale is {scale}")


def _scoped(key: uuid.UUID, act: str, claim: Claim) -> uuid.UUID:
    """The idempotency key as it is stored, of this act on this claim: whoever sends it, one key may serve two pairs."""
    return uuid.uuid5(claim.token, f"{act} {key}")


def _repeated(stored: Judgment, answer: Answer, key: uuid.UUID) -> Judgment:
    """A repeat is answered with the stored row. Another answer under another key must not vanish without a word."""
    said = stored.first_grade if stored.revealed_at else stored.grade
    if stored.key == key or (said, stored.reason) == (answer.grade, answer.reason):
        return stored
    raise AlreadyGraded(stored)


def _insert(
    claim: Claim,
    answer: Answer,
    key: uuid.UUID,
    now: datetime,
    *,
    version: int,
    is_extra: bool,
    revealed: Judgment | None = None,
) -> Judgment:
    """The row of a new version; `revealed` is the first one after which a suggestion was revealed."""
    assessor, pair = claim.assessor, claim.pair
    seen = arms.at_save(claim=claim, is_graded=answer.grade is not None, revealed=revealed, now=now)
    _advance_sitting(assessor, now)
    return Judgment.objects.create(
        pair=pair,
        assessor=assessor,
        claim=claim,
        round=claim.round,
        version=version,
        key=key,
        outcome=answer.outcome,
        grade=answer.grade,
        first_grade=blinding.first_grade(given=answer.grade, before_reveal=revealed and revealed.first_grade),
        is_unsure=answer.is_unsure,
        comment=answer.comment,
        reason=answer.reason,
        is_extra=is_extra,
        arm=seen.arm,
        is_suggestion_seen=seen.is_in_view,
        suggestion=seen.suggestion,
        revealed_at=seen.revealed_at,
        decided_at=now if revealed else None,
        backstory_id=claim.backstory_id,
        guidelines_id=claim.guidelines_id,
        created_at=now,
        # The page tells when its card was made; it cannot have been before the claim, or later than now.
        shown_at=min(max(answer.shown_at or claim.claimed_at, claim.claimed_at), now),
        visible_ms=answer.visible_ms,
        wall_ms=answer.wall_ms,
        was_cut=answer.was_cut,
        sitting=assessor.sitting,
        sitting_position=assessor.sitting_position,
        order=claim.order,
        order_seed=claim.order_seed,
        order_key=claim.order_key,
        pair_draw_id=claim.pair_draw_id,
        is_calibration=claim.is_calibration,
        stratum=pair.topic.query_id,
        frame_version=pair.frame_version,
    )


def _advance_sitting(assessor: Membership, now: datetime) -> None:
    """Count the place in the sitting; a long pause starts a new one."""
    if assessor.last_judged_at is None or now - assessor.last_judged_at > SITTING_PAUSE:
        assessor.sitting += 1
        assessor.sitting_position = 0
    assessor.sitting_position += 1
    assessor.last_judged_at = now


def _count(judgment: Judgment, was_skipped: bool) -> None:
    """Move the assessor's counters: a change counts no pair again."""
    assessor = judgment.assessor
    is_new = int(judgment.version == 1)
    Membership.objects.filter(pk=assessor.pk).update(
        judged=F("judged") + is_new,
        skipped=F("skipped") - int(was_skipped),
        sitting=assessor.sitting,
        sitting_position=assessor.sitting_position,
        last_judged_at=assessor.last_judged_at,
    )
