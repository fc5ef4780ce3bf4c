"""When to ask again: exponential back-off with jitter, never before the service's own `retry-after`."""

import random

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 60.0
MOST_ATTEMPTS = 8


def pause(attempt: int, after: float | None, chance: random.Random) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 1).

    The full jitter of Brooker 2015 (AWS Architecture Blog): uniform between 0 and the exponential bound; on top of
    what the service asks for, so that those who were turned away together do not come back together.

    >>> pause(1, 2.0, random.Random(1)) >= 2.0
    True
    """
    bound = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (attempt - 1))
    return (after or 0.0) + chance.uniform(0, bound)


def look_again(looks: int) -> float:
    """Seconds until the next look at a submitted batch after `looks` of them: growing from 2 s to 5 min.

    >>> [look_again(looks) for looks in (0, 4, 40)]
    [2.0, 32.0, 300.0]
    """
    return min(300.0, 2.0 * 2.0 ** min(looks, 20))
