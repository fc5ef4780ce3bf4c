"""Shares of counts with their uncertainty."""

import math
from typing import NamedTuple

_NORMAL_95 = 1.959963984540054


class Share(NamedTuple):
    """`hits` of `of`; `low` and `high` are the ends of its 95 % interval."""

    hits: int
    of: int
    value: float
    low: float
    high: float


def share(hits: int, of: int) -> Share | None:
    """A share with its interval by the score method of Wilson (1927, J. Am. Stat. Assoc. 22); None of nothing.

    >>> [round(end, 4) for end in share(0, 50)[2:]]
    [0.0, 0.0, 0.0713]
    """
    if of == 0:
        return None
    value, square = hits / of, _NORMAL_95**2
    centre = (value + square / (2 * of)) / (1 + square / of)
    half = _NORMAL_95 * math.sqrt(value * (1 - value) / of + square / (4 * of * of)) / (1 + square / of)
    low = max(0.0, centre - half) if hits else 0.0  # both ends exact, whatever the last digits come to
    high = min(1.0, centre + half) if hits < of else 1.0
    return Share(hits, of, value, low, high)
