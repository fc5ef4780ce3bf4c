"""Judgments of an assessor whose row is held: an answer, another one, a decision after a reveal; and skips.

Called by turns, each in its transaction. A repeated save is one judgment.
"""

import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from annotate.judging.queries import judging_card
from annotate.models import Claim, Judgment, Membership, Pair
from annotate.pairs import pair_states
from annotate.rules import assignment, drawing

SESSION_PAUSE = timedelta(minutes=30)
SESSION = ["session", "session_position", "last_judged_at"]
# What a judgment says of how its pair came to the assessor.
KEPT_OF_CLAIM = [
    *("round", "backstory_id", "guidelines_id", "pair_draw_id", "is_calibration", "order", "order_seed", "order_key")
]
OF_THE_SAME = """
    o.pair_id = annotate_claim.pair_id AND o.assessor_id = annotate_claim.assessor_id AND o.round = annotate_claim.round
"""
IS_ANSWERED = f"EXISTS (SELECT 1 FROM annotate_judgment o WHERE {OF_THE_SAME})"
WAS_SKIPPED = f"EXISTS (SELECT 1 FROM annotate_claim o WHERE {OF_THE_SAME} AND o.state = 'SKIPPED')"


class NotOnScale(ValueError):
    """A grade that the collection's scale does not have."""


class AlreadyGraded(ValueError):
    """The same card was saved before with another answer: the stored one stays until the person reopens it."""

    def __init__(self, judgment: Judgment) -> None:
        super().__init__("This pair was saved before, from another tab perhaps. Press u to reopen and change it.")
        self.judgment = judgment


class ChangedSince(ValueError):
    """What was shown is not the answer in force: it was changed in another tab, or belongs to another pair."""

    def __init__(self, judgment: Judgment) -> None:
        super().__init__("Nothing was stored: the form showed another answer than the one in force, which is this one.")
        self.judgment = judgment


@dataclass(frozen=True)
class Answer:
    """An assessor's answer. Exactly one of `grade` and `reason` (why it cannot be judged) is given."""

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


class LockedClaim(NamedTuple):
    """A claim and its pair, both locked; what the assessor did with the pair in this round before."""

    claim: Claim
    is_answered: bool
    was_skipped: bool


def record_answer(*, assessor: Membership, token: uuid.UUID, key: uuid.UUID, answer: Answer, now: datetime) -> Judgment:
    """Store the first judgment of a claimed pair; with a key that was used for it before, answer with what is stored.

    A grade that comes after the claim ran out is kept; where the target was met meanwhile it is marked extra.
    Raises Claim.DoesNotExist for a token that is not the assessor's, NotOnScale, and AlreadyGraded where the pair
    holds another answer.
    """
    claim, is_answered, was_skipped = _lock_claim(assessor, token)
    claim.assessor = assessor
    _check_scale(assessor, answer.grade)
    key = _scoped(key, "save", claim)
    if is_answered:
        return _repeated(_stored(claim, key), answer)
    pair = claim.pair
    # Only the first round takes a place of the target.
    is_extra = claim.round == 1 and pair.counted >= pair.target
    judgment = _insert(claim, answer, key, now, version=1, is_extra=is_extra)
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.JUDGED, closed_at=now)
    _follow(assessor, pair, claim)
    _count(assessor, claim, was_skipped)
    return judgment


def _stored(claim: Claim, key: uuid.UUID) -> Judgment:
    """The version that was stored under the key, else the last one."""
    stored = Judgment.objects.filter(pair=claim.pair_id, assessor=claim.assessor, round=claim.round)
    return stored.filter(key=key).first() or stored.latest("version")


def record_change(
    *, assessor: Membership, judgment_id: int, shown: int | None = None, key: uuid.UUID, answer: Answer, now: datetime
) -> Judgment:
    """Store another answer of the same person to the same pair; the earlier one stays in the history. `shown` is the
    version that the person had in view.

    Raises Judgment.DoesNotExist for a judgment that is not the assessor's, NotOnScale, ChangedSince where another
    version is in force than was shown, and AlreadyGraded where the key brought another answer before.
    """
    _check_scale(assessor, answer.grade)
    asked = Judgment.objects.get(pk=judgment_id, assessor=assessor)
    pair = Pair.objects.select_for_update(no_key=True).get(pk=asked.pair_id)
    versions = Judgment.objects.filter(pair=pair, assessor=assessor, round=asked.round)
    current = versions.select_related("claim__pair__topic", "claim__suggestion__rater").get(is_current=True)
    claim = current.claim
    claim.assessor = assessor
    key = _scoped(key, "change", claim)
    if stored := versions.filter(key=key).first():
        return _repeated(stored, answer)
    if shown is not None and shown != current.pk:
        raise ChangedSince(current)
    revealed = versions.filter(revealed_at__isnull=False).select_related("suggestion__rater").order_by("version")
    Judgment.objects.filter(pk=current.pk).update(is_current=False)
    judgment = _insert(
        claim,
        answer,
        key,
        now,
        version=current.version + 1,
        is_extra=current.is_extra,
        revealed=revealed.first(),
        repeat_from=current.repeat_from,
    )
    _follow(assessor, pair, claim)
    assessor.save(update_fields=SESSION)
    return judgment


def record_decision(*, assessor: Membership, judgment_id: int, grade: int, now: datetime) -> Judgment:
    """Keep or change the grade once the suggestion has been revealed; the first decision stands.

    Raises Judgment.DoesNotExist where there is nothing of the assessor's to decide, and NotOnScale.
    """
    _check_scale(assessor, grade)
    judgment = Judgment.objects.select_for_update().get(
        pk=judgment_id, assessor=assessor, is_current=True, revealed_at__isnull=False, outcome="GRADED"
    )
    if judgment.decided_at is None:
        pair = Pair.objects.select_for_update(no_key=True).get(pk=judgment.pair_id)
        judgment.grade, judgment.decided_at = grade, now
        judgment.save(update_fields=["grade", "decided_at"])
        _follow(assessor, pair, judgment)
    return judgment


def record_skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> None:
    """Put a claimed pair at the end of the assessor's own queue. Skipping twice, or what is gone, changes nothing."""
    try:
        claim, _, was_skipped = _lock_claim(assessor, token)
    except Claim.DoesNotExist:
        return
    if claim.state != Claim.State.OPEN:
        return
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SKIPPED, closed_at=now)
    pair_states.refresh(collection=assessor.collection, pairs=[claim.pair], is_reference_known=True)
    if not was_skipped:
        assessor.skipped += 1
        assessor.save(update_fields=["skipped"])


def _lock_claim(assessor: Membership, token: uuid.UUID) -> LockedClaim:
    """The claim that the token names, with what goes with an answer. Raises Claim.DoesNotExist for another's."""
    claims = Claim.objects.select_for_update(of=("self", "pair"), no_key=True)
    claim = (
        claims.select_related("pair__topic", "suggestion__rater")
        .annotate(
            is_answered=RawSQL(IS_ANSWERED, [], output_field=BooleanField()),
            was_skipped=RawSQL(WAS_SKIPPED, [], output_field=BooleanField()),
        )
        .get(assessor=assessor, token=token)
    )
    return LockedClaim(claim, claim.is_answered, claim.was_skipped)


def _check_scale(assessor: Membership, grade: int | None) -> None:
    """Raises NotOnScale; no grade at all is no fault."""
    scale = assessor.collection.scale
    if grade is not None and grade not in scale:
        raise NotOnScale(f"{grade} is not a grade of this collection, whose scale is {scale}")


def _follow(assessor: Membership, pair: Pair, source: Claim | Judgment) -> None:
    """Bring the pair in line with what was answered. A hidden repeat tells of the person, not of the pair."""
    if source.round == 1:
        pair_states.refresh(
            collection=assessor.collection, pairs=[pair], is_reference_known=True, has_new_evidence=True
        )


def _scoped(key: uuid.UUID, act: str, claim: Claim) -> uuid.UUID:
    """The idempotency key as it is stored, of this act on this claim: whoever sends it, one key may serve two pairs."""
    return uuid.uuid5(claim.token, f"{act} {key}")


def _repeated(stored: Judgment, answer: Answer) -> Judgment:
    """A repeat is answered with the stored row. Another answer, under whatever key, must not vanish without a word."""
    grade = stored.first_grade if stored.revealed_at else stored.grade
    there = (grade, stored.reason, stored.is_unsure, stored.comment)
    if there == (answer.grade, answer.reason, answer.is_unsure, answer.comment):
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
    repeat_from: int | None = None,
) -> Judgment:
    """The row of a new version; `revealed` is the first one after which a suggestion was revealed, `repeat_from` what
    was settled with the first version."""
    assessor, pair = claim.assessor, claim.pair
    seen = judging_card.seen_at_save(claim=claim, is_graded=answer.grade is not None, revealed=revealed, now=now)
    _advance_session(assessor, now)
    return Judgment.objects.create(
        pair=pair,
        assessor=assessor,
        claim=claim,
        **{name: getattr(claim, name) for name in KEPT_OF_CLAIM},
        version=version,
        key=key,
        outcome=answer.outcome,
        grade=answer.grade,
        first_grade=assignment.first_grade(
            given=answer.grade, before_reveal=revealed.first_grade if revealed else None
        ),
        is_unsure=answer.is_unsure,
        comment=answer.comment,
        reason=answer.reason,
        is_extra=is_extra,
        arm=seen.arm,
        is_suggestion_seen=seen.is_in_view,
        suggestion=seen.suggestion,
        revealed_at=seen.revealed_at,
        decided_at=now if revealed else None,
        created_at=now,
        # The page tells when its card was made; it cannot have been before the claim, or later than now.
        shown_at=min(max(answer.shown_at or claim.claimed_at, claim.claimed_at), now),
        visible_ms=answer.visible_ms,
        wall_ms=answer.wall_ms,
        was_cut=answer.was_cut,
        session=assessor.session,
        session_position=assessor.session_position,
        stratum=pair.topic.query_id,
        frame_version=pair.frame_version,
        draw_probability=1.0 if claim.order == drawing.INFLUENCE else None,
        repeat_from=_repeat_from(claim) if version == 1 else repeat_from,
    )


def _advance_session(assessor: Membership, now: datetime) -> None:
    """Count the place in the session; a long pause starts a new one."""
    if assessor.last_judged_at is None or now - assessor.last_judged_at > SESSION_PAUSE:
        assessor.session += 1
        assessor.session_position = 0
    assessor.session_position += 1
    assessor.last_judged_at = now


def _repeat_from(claim: Claim) -> int | None:
    """When the pair comes again, as the settings say now; what comes again does not come a third time."""
    assessor, settings = claim.assessor, claim.assessor.collection
    if claim.round > 1:
        return None
    return assignment.schedule_repeat(
        settings.share_repeated,
        settings.repeat_distance,
        settings.seed,
        query_id=claim.pair.topic.query_id,
        passage_id=claim.pair.passage_id,
        assessor=assessor.pseudonym,
        judged=assessor.judged + 1,
    )


def _count(assessor: Membership, claim: Claim, was_skipped: bool) -> None:
    """Move the assessor's counters by a first answer."""
    assessor.judged += claim.round == 1
    assessor.repeated += claim.round > 1
    assessor.skipped -= was_skipped
    assessor.save(update_fields=["judged", "repeated", "skipped", *SESSION])
