"""Who works in a collection, and whose password its researcher may reset."""

from collections import defaultdict
from dataclasses import dataclass

from annotate.models import Collection, Membership, User
from annotate.rules import permissions


@dataclass(frozen=True)
class Member:
    """`reset_refusal`: why this person's password cannot be reset by the one who looks; empty where it can."""

    membership: Membership
    is_self: bool
    reset_refusal: str


def of(collection: Collection, by: User) -> list[Member]:
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
