"""Who works in a collection, and the links by which people join it."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from annotate.collections import rules
from annotate.models import Collection, Invitation, Membership, User
from annotate.rules import permissions

NEWEST = 20


@dataclass(frozen=True)
class Member:
    """`reset_refusal`: why this person's password cannot be reset by the one who looks; empty where it can."""

    membership: Membership
    is_self: bool
    reset_refusal: str


def list_members(collection: Collection, by: User) -> list[Member]:
    """Researchers first, those who left last."""
    rows = list(
        Membership.objects.filter(collection=collection).select_related("user").order_by("-is_active", "-role", "pk")
    )
    elsewhere = _roles({row.user_id for row in rows})
    researched = Membership.objects.filter(user=by, role=Membership.Role.RESEARCHER, is_active=True)
    own = list(researched.values_list("collection", flat=True))
    return [Member(row, row.user_id == by.pk, _refusal(row.user, by, own, elsewhere[row.user_id])) for row in rows]


def _roles(users: set[int]) -> dict[int, list[tuple[int, str]]]:
    """Of each person the roles as (collection, role), in all collections, those that ended included."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = Membership.objects.filter(user__in=users)
    for user, collection, role in rows.values_list("user", "collection", "role"):
        found[user].append((collection, role))
    return found


def _refusal(user: User, by: User, own: list[int], theirs: list[tuple[int, str]]) -> str:
    is_researcher = any(role == Membership.Role.RESEARCHER for _, role in theirs)
    try:
        permissions.check_reset_password(
            is_superuser=by.is_superuser,
            own=own,
            theirs=[collection for collection, _ in theirs],
            is_peer=user.is_superuser or user.may_create_collections or is_researcher,
        )
    except permissions.NotAllowed as reason:
        return str(reason)
    return ""


class InvitationFacts(TypedDict):
    is_ended: bool
    is_expired: bool
    places: int
    used: int


@dataclass(frozen=True)
class ListedInvitation:
    """An invitation, how many may still come by it, and whether it is open."""

    invitation: Invitation
    remaining: int
    is_open: bool


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def list_invitations(collection: Collection, now: datetime) -> list[ListedInvitation]:
    """The twenty newest, newest first."""
    rows = Invitation.objects.filter(collection=collection).select_related("created_by").order_by("-pk")[:NEWEST]
    return [ListedInvitation(row, row.places - row.used, rules.is_open(**invitation_facts(row, now))) for row in rows]


def invitation_facts(invitation: Invitation, now: datetime) -> InvitationFacts:
    """What the rule asks about."""
    return {
        "is_ended": invitation.ended_at is not None,
        "is_expired": invitation.expires_at <= now,
        "places": invitation.places,
        "used": invitation.used,
    }
