"""Handing pairs to assessors: choosing a pair and taking its place is one statement, so no two people get the same."""

import uuid
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, OuterRef, Q, QuerySet

from annotate.models import Claim, Guidelines, Membership, Pair
from annotate.operations import holding, pair_states
from annotate.queries import arms

# All that a card shows, read with its claim.
SHOWN = [
    "pair__topic",
    "pair__passage_text",
    "assessor__collection",
    "suggestion__rater",
    "backstory",
    "guidelines",
]
NOT_MINE = """
    NOT EXISTS (SELECT 1 FROM annotate_judgment j WHERE j.pair_id = p.id AND j.assessor_id = %(assessor)s)
"""
NEXT_IN_ORDER = f"""
    SELECT p.id FROM annotate_pair p
    WHERE p.collection_id = %(collection)s AND p.places_open > 0 AND {NOT_MINE}
      AND NOT EXISTS (SELECT 1 FROM annotate_claim c
                      WHERE c.assessor_id = %(assessor)s AND c.pair_id = p.id AND c.state = 'SKIPPED')
    ORDER BY p.order_key, p.id LIMIT 1
"""
LONGEST_SKIPPED = f"""
    SELECT c.pair_id FROM annotate_claim c JOIN annotate_pair p ON p.id = c.pair_id
    WHERE c.assessor_id = %(assessor)s AND c.state = 'SKIPPED' AND p.places_open > 0 AND {NOT_MINE}
    GROUP BY c.pair_id ORDER BY MAX(c.closed_at) LIMIT 1
"""


@transaction.atomic
def claim_next(*, assessor: Membership, now: datetime) -> Claim | None:
    """The assessor's open claim, renewed, or a new one on the next pair; None when nothing is free.

    1. Claims that ran out give their places back. 2. A claim that the assessor still holds is served again: a reload
    or a second tab shows the same pair, unless nobody is asked about it any more. 3. Else the first free pair in the
    shared order, 4. then what the assessor skipped, the longest ago first.
    """
    assessor = holding.assessor(assessor)  # of two tabs of one person at once one waits for the other
    open_claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN)
    found = list(open_claims.filter(Q(expires_at__lte=now) | Q(assessor=assessor)).select_related(*SHOWN))
    over = [claim for claim in found if claim.expires_at <= now or claim.pair.target == 0]
    if over:
        _end(open_claims.filter(pk__in=[claim.pk for claim in over]), now)
    for held in found:
        if held not in over:  # the assessor's own: those of others were found because they ran out
            return renew(claim=held, now=now)
    pair_id = _take(NEXT_IN_ORDER, assessor, may_skip_locked=True) or _take(LONGEST_SKIPPED, assessor)
    return None if pair_id is None else _claim(assessor, pair_id, now)


def _claim(assessor: Membership, pair_id: int, now: datetime) -> Claim:
    """A new claim, with what stands beside its pair from now on."""
    shown = Claim.objects.filter(assessor=assessor, pair=OuterRef("pk"), suggestion__isnull=False).order_by("pk")
    pairs = Pair.objects.annotate(shown_before=shown.values("pk")[:1]).select_related("topic", "passage_text")
    pair = pairs.get(pk=pair_id)
    earlier = pair.shown_before and Claim.objects.select_related("suggestion__rater").get(pk=pair.shown_before)
    seen = arms.before_grade(assessor=assessor, pair=pair, earlier=earlier)
    return Claim.objects.create(
        collection_id=assessor.collection_id,
        pair=pair,
        assessor=assessor,
        token=uuid.uuid4(),
        claimed_at=now,
        expires_at=now + timedelta(minutes=assessor.collection.claim_minutes),
        arm=seen.arm,
        suggestion=seen.suggestion,
        backstory=arms.current_backstory(pair.topic_id),
        guidelines=Guidelines.objects.get(collection=assessor.collection_id, is_current=True),
        order=assessor.collection.order,
        order_seed=assessor.collection.seed,
        order_key=pair.order_key,
        pair_draw_id=assessor.collection.pair_draw_id,
        is_calibration=pair.is_calibration,
    )


def renew(*, claim: Claim, now: datetime) -> Claim:
    """Hold an open claim for the full time again; one that has ended meanwhile stays as it is."""
    claim.expires_at = now + timedelta(minutes=claim.assessor.collection.claim_minutes)
    Claim.objects.filter(pk=claim.pk, state=Claim.State.OPEN).update(expires_at=claim.expires_at)
    return claim


@transaction.atomic
def expire_claims(*, collection_id: int, now: datetime) -> int:
    """Free the places of claims that ran out. A judged pair is never touched: its claim is not open any more."""
    late = Claim.objects.filter(collection=collection_id, state=Claim.State.OPEN, expires_at__lte=now)
    return _end(late, now)


@transaction.atomic
def release(*, assessor: Membership, now: datetime) -> None:
    """Free what an assessor holds, for one who leaves."""
    _end(Claim.objects.filter(assessor=holding.assessor(assessor), state=Claim.State.OPEN), now)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> None:
    """Put a claimed pair at the end of the assessor's own queue. Skipping twice, or what is gone, changes nothing."""
    assessor = holding.assessor(assessor)
    claim = Claim.objects.select_for_update().filter(assessor=assessor, token=token, state=Claim.State.OPEN).first()
    if claim is None:
        return
    is_first = not Claim.objects.filter(assessor=assessor, pair=claim.pair_id, state=Claim.State.SKIPPED).exists()
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SKIPPED, closed_at=now)
    pair = Pair.objects.select_for_update().get(pk=claim.pair_id)
    pair_states.refresh(collection=assessor.collection, pairs=[pair], is_reference_known=True)
    if is_first:
        Membership.objects.filter(pk=assessor.pk).update(skipped=F("skipped") + 1)


def _end(claims: QuerySet[Claim], now: datetime) -> int:
    """Close open claims and give their places back; what somebody is about to judge or end at this moment is left."""
    locked = claims.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)
    ended = list(locked)
    if ended:
        Claim.objects.filter(pk__in=[claim.pk for claim in ended]).update(state=Claim.State.EXPIRED, closed_at=now)
        pair_ids = {claim.pair_id for claim in ended}
        pairs = list(Pair.objects.select_for_update().filter(pk__in=pair_ids).order_by("pk"))
        pair_states.refresh(collection=ended[0].collection, pairs=pairs, is_reference_known=True)
    return len(ended)


def _take(choice: str, assessor: Membership, may_skip_locked: bool = False) -> int | None:
    """Take a place of the pair that `choice` selects; the outer condition holds where another was quicker."""
    lock = "FOR UPDATE OF p SKIP LOCKED" if may_skip_locked and connection.vendor == "postgresql" else ""
    statement = f"""
        UPDATE annotate_pair SET places_open = places_open - 1
        WHERE id = ({choice} {lock}) AND places_open > 0 RETURNING id
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, {"collection": assessor.collection_id, "assessor": assessor.pk})
        row = cursor.fetchone()
    return row[0] if row else None
