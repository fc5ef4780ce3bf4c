"""Who may do what. Each rule is a pair: `check_x` raises with the sentence that the person reads, `may_x` asks it."""

from collections.abc import Callable, Collection
from typing import Any


class NotAllowed(Exception):
    """The sentence that the person reads."""


def check_reset_password(*, is_superuser: bool, own: Collection[int], theirs: Collection[int], is_peer: bool) -> None:
    """`own`: collections that the one who resets researches; `theirs`: all collections in which the
    other person has or ever had a role; `is_peer`: administers, or researches or ever researched a collection.

    A researcher may not reset somebody who also works elsewhere, who is a researcher or who administers Lacuna: a new
    password would open what is not the researcher's. A role that ended counts: it may be given back, and who adds a
    known person to an own collection has no claim on the account.
    """
    if is_superuser:
        return
    if is_peer:
        raise NotAllowed(
            "This person is or was a researcher or administrator: only an administrator can reset the password."
        )
    if not theirs or not set(theirs) <= set(own):
        raise NotAllowed("This person also works, or worked, in collections that are not yours: ask an administrator.")


def may_reset_password(*, is_superuser: bool, own: Collection[int], theirs: Collection[int], is_peer: bool) -> bool:
    return _asks(check_reset_password, is_superuser=is_superuser, own=own, theirs=theirs, is_peer=is_peer)


def _asks(check: Callable[..., None], **facts: Any) -> bool:
    try:
        check(**facts)
    except NotAllowed:
        return False
    return True
