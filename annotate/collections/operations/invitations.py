"""Inviting assessors by a link, and joining by it. The link's secret is told once and stored as its hash only."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from annotate.collections import rules
from annotate.collections.operations import people
from annotate.collections.queries import invitations
from annotate.models import Collection, Invitation, Membership, User

BYTES = 24


class CannotJoin(ValueError):
    """Why a person does not join: the sentence that is read."""


@transaction.atomic
def invite(*, collection: Collection, places: int, days: int, by: User, now: datetime) -> tuple[Invitation, str]:
    """A link for so many people and days, and its secret."""
    secret = secrets.token_urlsafe(BYTES)
    invitation = Invitation.objects.create(
        collection=collection,
        secret_hash=invitations.hashed(secret),
        places=places,
        created_at=now,
        created_by=by,
        expires_at=now + timedelta(days=days),
    )
    return invitation, secret


@transaction.atomic
def end(*, invitation: Invitation, now: datetime) -> None:
    """Nobody comes by it any more; who came stays."""
    Invitation.objects.filter(pk=invitation.pk, ended_at=None).update(ended_at=now)


def find(*, secret: str, user: User | None, now: datetime) -> Invitation:
    """The invitation of a secret by which a person, or somebody who is not signed in, may come. Raises as `join`."""
    invitation = Invitation.objects.select_related("collection").get(secret_hash=invitations.hashed(secret))
    return _open_to(user, invitation, now)


@transaction.atomic
def join(*, secret: str, user: User, now: datetime) -> Membership:
    """Make a person an assessor and take a place; of two who want the last one the first gets it.

    Raises Invitation.DoesNotExist, inviting.NotOpen with the reason, and CannotJoin for somebody who is or was an
    assessor there.
    """
    invitation = _open_to(user, _locked(secret), now)
    Invitation.objects.filter(pk=invitation.pk).update(used=F("used") + 1)
    return people.add_member(collection=invitation.collection, user=user, role=Membership.Role.ASSESSOR, now=now)


@transaction.atomic
def join_anew(*, secret: str, username: str, password: str, now: datetime) -> Membership:
    """Make an account and join with it; where joining fails there is no account. Raises as `join` does, and
    CannotJoin for a name that somebody has, in large or small letters."""
    user = User(username=User.normalize_username(username))
    user.set_password(password)
    _locked(secret)  # of two alike names that come by it at once the second finds the first
    try:
        if people.named(username) is not None:
            raise people.NameTaken
        people.store_new(user)
    except people.NameTaken:
        raise CannotJoin("Somebody has this name. If it is yours, sign in with it first.") from None
    return join(secret=secret, user=user, now=now)


def _locked(secret: str) -> Invitation:
    """With its collection: a person who has two links joins by one of them. Raises Invitation.DoesNotExist."""
    rows = Invitation.objects.select_for_update(of=("self", "collection")).select_related("collection")
    return rows.get(secret_hash=invitations.hashed(secret))


def _open_to(user: User | None, invitation: Invitation, now: datetime) -> Invitation:
    there = Membership.objects.filter(collection=invitation.collection, user=user, role=Membership.Role.ASSESSOR)
    if user and (membership := there.first()):
        raise CannotJoin(
            f"You are an assessor of {invitation.collection} already."
            if membership.is_active
            else f"Your role in {invitation.collection} was ended. A researcher can bring you back."
        )
    rules.check_open(**invitations.facts(invitation, now))
    return invitation
