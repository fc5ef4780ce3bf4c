"""People: who works in a collection, in which role, and how they get in again."""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction
from knox.models import AuthToken

from annotate.judging.operations import claims
from annotate.models import Collection, Membership, User
from annotate.rules import permissions

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class CannotAdd(ValueError):
    """Why a person cannot be added."""


class NameTaken(ValueError):
    """Two people want one user name in the same moment."""

    def __init__(self) -> None:
        super().__init__("Somebody took this name in this moment.")


def new_password() -> str:
    """Four groups of four easily told letters: 79 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


@transaction.atomic
def add_member(*, collection: Collection, user: User, role: str, now: datetime) -> Membership:
    """Give a person a role; one who had it and was deactivated has it again, under the same pseudonym."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    number = Membership.objects.filter(collection=collection, role=role).count() + 1
    membership, _ = Membership.objects.get_or_create(
        collection=collection,
        user=user,
        role=role,
        defaults={"pseudonym": f"{role.lower()}-{number}", "created_at": now},
    )
    if not membership.is_active:
        membership.is_active = True
        membership.save(update_fields=["is_active"])
    return membership


@transaction.atomic
def add_person(*, collection: Collection, username: str, role: str, now: datetime) -> tuple[Membership, str | None]:
    """Add somebody by user name, whose large and small letters count as the same; a new account gets a first password,
    which is returned once and must be changed. Raises NameTaken."""
    username = username.strip()
    user = named(username)
    if user is not None:
        return add_member(collection=collection, user=user, role=role, now=now), None
    user = User(username=username, must_change_password=True)
    user.clean_fields(exclude=["password"])
    password = new_password()
    user.set_password(password)
    store_new(user)
    return add_member(collection=collection, user=user, role=role, now=now), password


def store_new(user: User) -> None:
    """Store a new account. Raises NameTaken where another was quicker, since `named` was asked."""
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise NameTaken from None


def named(username: str) -> User | None:
    """The account of this name, else the first whose name differs in large and small letters only.

    Compared here: SQLite knows the case of ASCII letters alone.
    """
    alike = [
        (name != username, pk)
        for pk, name in User.objects.values_list("pk", "username")
        if name.casefold() == username.casefold()
    ]
    return User.objects.get(pk=min(alike)[1]) if alike else None


@transaction.atomic
def deactivate_member(*, membership: Membership, by: User, now: datetime) -> None:
    """End a role; the judgments stay under the pseudonym, a held pair is free for others at once.

    The last researcher cannot leave.
    """
    others = Membership.objects.filter(
        collection=membership.collection, role=Membership.Role.RESEARCHER, is_active=True
    ).exclude(pk=membership.pk)
    if membership.role == Membership.Role.RESEARCHER and not others.exists():
        raise CannotAdd("A collection keeps at least one researcher.")
    Membership.objects.filter(pk=membership.pk).update(is_active=False)
    claims.release(assessor=membership, now=now)


@transaction.atomic
def reset_password(*, user: User, by: User) -> str:
    """Give somebody a new first password. Raises permissions.NotAllowed, with the reason."""
    researched = Membership.objects.filter(user=by, role=Membership.Role.RESEARCHER, is_active=True)
    theirs = Membership.objects.filter(user=user)  # roles that ended too: their account is more than this collection
    permissions.check_reset_password(
        is_superuser=by.is_superuser,
        own=list(researched.values_list("collection", flat=True)),
        theirs=list(theirs.values_list("collection", flat=True)),
        is_peer=user.is_superuser
        or user.may_create_collections
        or theirs.filter(role=Membership.Role.RESEARCHER).exists(),
    )
    password = new_password()
    user.set_password(password)
    user.must_change_password = True
    user.save(update_fields=["password", "must_change_password"])
    AuthToken.objects.filter(user=user).delete()  # who lost the password may have lost the tokens with it
    return password
