"""When a link by which people join a collection is open."""

PLACES_TAKEN = "All places of this invitation are taken. Ask the researcher for a new link."


class NotOpen(Exception):
    """Why nobody comes by a link any more: the sentence that the person reads."""


def check_open(*, is_ended: bool, is_expired: bool, places: int, used: int) -> None:
    """Raises NotOpen for a link that was taken back, whose time is over, or by which as many came as may."""
    if is_ended:
        raise NotOpen("This invitation was taken back. Ask the researcher for a new link.")
    if is_expired:
        raise NotOpen("The time of this invitation is over. Ask the researcher for a new link.")
    if used >= places:
        raise NotOpen(PLACES_TAKEN)


def is_open(*, is_ended: bool, is_expired: bool, places: int, used: int) -> bool:
    try:
        check_open(is_ended=is_ended, is_expired=is_expired, places=places, used=used)
    except NotOpen:
        return False
    return True
