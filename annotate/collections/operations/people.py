"""People: accounts, roles in a collection, and invitations by a link whose secret is stored as its hash only."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from knox.models import AuthToken

from annotate.collections import queries as collections_queries
from annotate.collections import rules
from annotate.models import Collection, Invitation, Membership, User
from annotate.pairs import refresh
from annotate.rules import permissions

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
SECRET_BYTES = 24
MOST_TOKENS = 20


class CannotAdd(ValueError):
    """Why a person cannot be added."""


class NameTaken(ValueError):
    """Two people want one user name in the same moment."""

    def __init__(self) -> None:
        super().__init__("Somebody took this name in this moment.")


def new_password() -> str:
    """Four groups of four letters that are hard to confuse: 79 bits."""
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
    user = find_user(username)
    if user is not None:
        return add_member(collection=collection, user=user, role=role, now=now), None
    user = User(username=username, must_change_password=True)
    user.clean_fields(exclude=["password"])
    password = new_password()
    user.set_password(password)
    store_user(user)
    return add_member(collection=collection, user=user, role=role, now=now), password


def store_user(user: User) -> None:
    """Store a new account. Raises NameTaken where another was quicker, since `named` was asked."""
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise NameTaken from None


def find_user(username: str) -> User | None:
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
    refresh.release_claims(assessor=membership, now=now)


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


class CannotJoin(ValueError):
    """Why a person does not join: the sentence that is read."""


@transaction.atomic
def invite(*, collection: Collection, places: int, days: int, by: User, now: datetime) -> tuple[Invitation, str]:
    """A link for so many people and days, and its secret."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    invitation = Invitation.objects.create(
        collection=collection,
        secret_hash=collections_queries.hash_secret(secret),
        places=places,
        created_at=now,
        created_by=by,
        expires_at=now + timedelta(days=days),
    )
    return invitation, secret


@transaction.atomic
def end_invitation(*, invitation: Invitation, now: datetime) -> None:
    """Nobody comes by it any more; who came stays."""
    Invitation.objects.filter(pk=invitation.pk, ended_at=None).update(ended_at=now)


def find_invitation(*, secret: str, user: User | None, now: datetime) -> Invitation:
    """The invitation of a secret by which a person, or somebody who is not signed in, may come. Raises as `join`."""
    invitation = Invitation.objects.select_related("collection").get(
        secret_hash=collections_queries.hash_secret(secret)
    )
    return _open_to(user, invitation, now)


@transaction.atomic
def join(*, secret: str, user: User, now: datetime) -> Membership:
    """Make a person an assessor and take a place; of two who want the last one the first gets it.

    Raises Invitation.DoesNotExist, inviting.NotOpen with the reason, and CannotJoin for somebody who is or was an
    assessor there.
    """
    invitation = _open_to(user, _locked(secret), now)
    Invitation.objects.filter(pk=invitation.pk).update(used=F("used") + 1)
    return add_member(collection=invitation.collection, user=user, role=Membership.Role.ASSESSOR, now=now)


@transaction.atomic
def join_anew(*, secret: str, username: str, password: str, now: datetime) -> Membership:
    """Make an account and join with it; where joining fails there is no account. Raises as `join` does, and
    CannotJoin for a name that somebody has, in large or small letters."""
    user = User(username=User.normalize_username(username))
    user.set_password(password)
    _locked(secret)  # of two alike names that come by it at once the second finds the first
    try:
        if find_user(username) is not None:
            raise NameTaken
        store_user(user)
    except NameTaken:
        raise CannotJoin("Somebody has this name. If it is yours, sign in with it first.") from None
    return join(secret=secret, user=user, now=now)


def _locked(secret: str) -> Invitation:
    """With its collection: a person who has two links joins by one of them. Raises Invitation.DoesNotExist."""
    rows = Invitation.objects.select_for_update(of=("self", "collection")).select_related("collection")
    return rows.get(secret_hash=collections_queries.hash_secret(secret))


def _open_to(user: User | None, invitation: Invitation, now: datetime) -> Invitation:
    there = Membership.objects.filter(collection=invitation.collection, user=user, role=Membership.Role.ASSESSOR)
    if user and (membership := there.first()):
        raise CannotJoin(
            f"You are an assessor of {invitation.collection} already."
            if membership.is_active
            else f"Your role in {invitation.collection} was ended. A researcher can bring you back."
        )
    rules.check_open(**collections_queries.invitation_facts(invitation, now))
    return invitation


class TooManyTokens(ValueError):
    """The sentence that the person reads."""


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Store a new password; a first one that had to be changed is changed now, and programs need new tokens."""
    user.set_password(password)
    user.must_change_password = False
    user.save(update_fields=["password", "must_change_password"])
    AuthToken.objects.filter(user=user).delete()  # who knew the old password may have made some


@transaction.atomic
def change_theme(*, user: User, theme: str) -> None:
    User.objects.filter(pk=user.pk).update(theme=theme)


@transaction.atomic
def change_shortcuts(*, user: User, has_single_key_shortcuts: bool, confirms_with_enter: bool) -> None:
    User.objects.filter(pk=user.pk).update(
        has_single_key_shortcuts=has_single_key_shortcuts, confirms_with_enter=confirms_with_enter
    )


@dataclass(frozen=True)
class NewToken:
    """`secret` is shown once: only its hash is stored. `key` is its beginning, by which it is listed."""

    key: str
    secret: str


@transaction.atomic
def make_token(*, user: User) -> NewToken:
    """A token for programs. Raises TooManyTokens where the person has many already."""
    if AuthToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise TooManyTokens(f"You have {MOST_TOKENS} tokens; delete one that is not used any more.")
    token, secret = AuthToken.objects.create(user=user)
    return NewToken(token.token_key, secret)


@transaction.atomic
def delete_token(*, user: User, key: str) -> None:
    """Programs that use the person's token are refused from now on. Deleting what is gone changes nothing."""
    AuthToken.objects.filter(user=user, token_key=key).delete()
