"""Claims that end before their pair is judged: the places are free again."""

from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet

from annotate.models import Claim, Membership
from annotate.pairs import pair_states


@transaction.atomic
def release_claims(*, assessor: Membership, now: datetime) -> None:
    """Free what an assessor holds, for one who leaves."""
    held = Membership.objects.held().get(pk=assessor.pk)
    end_claims(Claim.objects.filter(assessor=held, state=Claim.State.OPEN), now)


def end_claims(claims: QuerySet[Claim], now: datetime) -> None:
    """Close open claims and give their places back; what somebody is about to judge or end at this moment is left.
    Call in a transaction."""
    locked = claims.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked, no_key=True)
    ended = list(locked)
    if ended:
        Claim.objects.filter(pk__in=[claim.pk for claim in ended]).update(state=Claim.State.EXPIRED, closed_at=now)
        pairs = pair_states.lock_pairs([claim.pair_id for claim in ended])
        pair_states.refresh(collection=ended[0].collection, pairs=pairs, is_reference_known=True)
