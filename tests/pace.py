"""Bars in seconds of the processor, on machines that others use too: how much slower it works just now."""

import random
import time
from collections.abc import Callable
from statistics import fmean

_NUMBERS = random.Random(1).choices(range(10**6), k=20_000)
# Of the work below on the processors for which the bars were set: there the leaderboard of commit d859c17 took .2 s at
# most; where this work takes .0056 s it takes .24 to .35 s.
_SECONDS = 0.004


def slowness() -> float:
    """At least 1: how many times as long as on those processors the same work takes in this moment."""
    return max(1.0, fmean(_take() for _ in range(5)) / _SECONDS)


def measure(work: Callable[[], object]) -> float:
    """The seconds of those processors that the work takes."""
    before, start = slowness(), time.process_time()
    work()
    taken = time.process_time() - start
    return taken / ((before + slowness()) / 2)


def _take() -> float:
    start = time.process_time()
    places = {number: place for place, number in enumerate(sorted(_NUMBERS))}
    assert sum(places.values()) > 0
    return time.process_time() - start
