"""From an address and a person to what the person may see there. A stranger gets 404: not even the existence shows."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from annotate.models import Collection, Membership, User


def memberships(user: User, slug: str) -> list[Membership]:
    """The person's active roles in a collection; 404 for a stranger."""
    found = list(Membership.objects.of_person(user, slug).select_related("collection"))
    if not found:
        raise Http404("There is no such collection, or it is not yours.")
    return found


def collection_or_404(user: User, slug: str) -> Collection:
    """A collection in which the person has any role."""
    return memberships(user, slug)[0].collection


def researched_or_404(user: User, slug: str) -> Collection:
    """A collection that the person researches; 403 for its assessors, 404 for strangers."""
    return _with_role(
        user, slug, Membership.Role.RESEARCHER, "Only researchers of this collection see this."
    ).collection


def assessor_or_404(user: User, slug: str) -> Membership:
    """The person as an assessor; 403 for those who only research, 404 for strangers."""
    return _with_role(user, slug, Membership.Role.ASSESSOR, "Only assessors judge. A researcher can add you as one.")


def adjudicator_or_404(user: User, slug: str) -> Membership:
    """The person as a researcher or else as an adjudicator; 403 for those who only judge, 404 for strangers."""
    by_role = {membership.role: membership for membership in memberships(user, slug)}
    for role in (Membership.Role.RESEARCHER, Membership.Role.ADJUDICATOR):
        if role in by_role:
            return by_role[role]
    raise PermissionDenied("Only adjudicators and researchers of this collection see this.")


def roles(user: User, collection: Collection) -> set[str]:
    return set(
        Membership.objects.filter(user=user.pk, collection=collection, is_active=True).values_list("role", flat=True)
    )


def _with_role(user: User, slug: str, role: str, sentence: str) -> Membership:
    for membership in memberships(user, slug):
        if membership.role == role:
            return membership
    raise PermissionDenied(sentence)
