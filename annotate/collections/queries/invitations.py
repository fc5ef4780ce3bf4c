"""Links by which people join a collection: found by their secret, listed for the researcher."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from annotate.collections import rules
from annotate.models import Collection, Invitation

NEWEST = 20


@dataclass(frozen=True)
class Listed:
    """An invitation, how many may still come by it, and whether it is open."""

    invitation: Invitation
    remaining: int
    is_open: bool


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def of(collection: Collection, now: datetime) -> list[Listed]:
    """The twenty newest, newest first."""
    rows = Invitation.objects.filter(collection=collection).select_related("created_by").order_by("-pk")[:NEWEST]
    return [Listed(row, row.places - row.used, rules.is_open(**facts(row, now))) for row in rows]


def facts(invitation: Invitation, now: datetime) -> dict[str, int | bool]:
    """What the rule asks about."""
    return {
        "is_ended": invitation.ended_at is not None,
        "is_expired": invitation.expires_at <= now,
        "places": invitation.places,
        "used": invitation.used,
    }
