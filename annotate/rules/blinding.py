"""Which arm a judgment belongs to, and which of its grades was given blind."""

from collections.abc import Mapping

from annotate.rules import seeds

HIDDEN = "HIDDEN"
SHOWN = "SHOWN"
REVEAL = "REVEAL"
ARMS = (HIDDEN, SHOWN, REVEAL)


def arm(shares: Mapping[str, int], unit: str, seed: int, *, query_id: str, passage_id: str, assessor: str) -> str:
    """The arm that the seed fixes for a unit: a PAIR, a TOPIC or an ASSESSOR.

    `shares` are weights of the three arms, not all 0. The same inputs give the same arm for ever.
    """
    names = {
        "PAIR": ("pair", query_id, passage_id),
        "TOPIC": ("topic", query_id),
        "ASSESSOR": ("assessor", assessor),
    }
    total = sum(shares[name] for name in ARMS)
    point = seeds.share(seed, "arm", *names[unit]) * total
    for name in ARMS:
        if point < shares[name]:
            return name
        point -= shares[name]
    raise ValueError("the shares of the arms are all 0")


def first_grade_after_change(*, earlier_first_grade: int | None, new_grade: int, has_seen_suggestion: bool) -> int:
    """The grade that counts as given at the save when a judgment is reopened and changed.

    Before anything was revealed a change corrects a slip: the new grade counts. After a reveal the person knows the
    suggestion: the earlier one stays the blind grade, if there was one.
    """
    if has_seen_suggestion and earlier_first_grade is not None:
        return earlier_first_grade
    return new_grade
