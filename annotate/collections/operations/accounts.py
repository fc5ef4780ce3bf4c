"""What people change about their own account."""

from dataclasses import dataclass

from django.db import transaction
from knox.models import AuthToken

from annotate.models import User

MOST_TOKENS = 20


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
    """`secret` is told once: only its hash is stored. `key` is its beginning, by which it is listed."""

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
