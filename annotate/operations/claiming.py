"""Handing pairs to assessors: choosing a pair and taking its place is one statement, so no two people get the same."""

import uuid
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F

from annotate.models import Claim, Membership, Pair
from annotate.operations import pair_states

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
    or a second tab shows the same pair. 3. Else the first free pair in the shared order, 4. then what the assessor
    skipped, the longest ago first.
    """
    if connection.features.has_select_for_update:  # two tabs of one person at once: one waits for the other
        Membership.objects.select_for_update().get(pk=assessor.pk)
    expire_claims(collection_id=assessor.collection_id, now=now)
    held = Claim.objects.filter(assessor=assessor, state=Claim.State.OPEN).first()
    if held:
        return renew(claim=held, now=now)
    pair_id = _take(NEXT_IN_ORDER, assessor, may_skip_locked=True) or _take(LONGEST_SKIPPED, assessor)
    if pair_id is None:
        return None
    return Claim.objects.create(
        collection_id=assessor.collection_id,
        pair_id=pair_id,
        assessor=assessor,
        token=uuid.uuid4(),
        claimed_at=now,
        expires_at=now + timedelta(minutes=assessor.collection.claim_minutes),
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
    ended = list(late.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)[:100])
    if ended:
        Claim.objects.filter(pk__in=[claim.pk for claim in ended]).update(state=Claim.State.EXPIRED, closed_at=now)
        pairs = list(Pair.objects.select_for_update().filter(claims__in=ended).order_by("pk"))
        pair_states.refresh(collection=ended[0].collection, pairs=pairs, is_reference_known=True)
    return len(ended)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> None:
    """Put a claimed pair at the end of the assessor's own queue. Skipping twice, or what is gone, changes nothing."""
    claim = Claim.objects.select_for_update().filter(assessor=assessor, token=token, state=Claim.State.OPEN).first()
    if claim is None:
        return
    is_first = not Claim.objects.filter(assessor=assessor, pair=claim.pair_id, state=Claim.State.SKIPPED).exists()
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SKIPPED, closed_at=now)
    pair = Pair.objects.select_for_update().get(pk=claim.pair_id)
    pair_states.refresh(collection=assessor.collection, pairs=[pair], is_reference_known=True)
    if is_first:
        Membership.objects.filter(pk=assessor.pk).update(skipped=F("skipped") + 1)


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
