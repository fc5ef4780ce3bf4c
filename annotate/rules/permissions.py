"""Who may do what. Each rule is a pair: `check_x` raises with the sentence that the person reads, `may_x` asks it."""

from collections.abc import Collection


class NotAllowed(Exception):
    """The sentence that the person reads."""


RESEARCHER = "RESEARCHER"
ASSESSOR = "ASSESSOR"


def check_judge(*, roles: Collection[str], is_paused: bool) -> None:
    if ASSESSOR not in roles:
        raise NotAllowed("Only assessors of this collection judge its pairs. A researcher can add you as one.")
    if is_paused:
        raise NotAllowed("Judging is paused. What you judged is kept; the researcher will open it again.")


def may_judge(*, roles: Collection[str], is_paused: bool) -> bool:
    return _asks(check_judge, roles=roles, is_paused=is_paused)


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


def _asks(check, **facts) -> bool:  # type: ignore[no-untyped-def]
    try:
        check(**facts)
    except NotAllowed:
        return False
    return True
