"""Assessors at work: in turn or all at once, and what their requests took."""

import statistics
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.judging_assessor import Assessor, Judged


class Load(NamedTuple):
    """What was judged in `seconds`, request by request, and the errors that people saw."""

    judged: list[Judged]
    errors: list[str]
    seconds: float

    @property
    def a_second(self) -> float:
        return len(self.judged) / self.seconds

    @property
    def median_ms(self) -> float:
        return statistics.median(self._taken()) * 1e3

    @property
    def p95_ms(self) -> float:
        return statistics.quantiles(self._taken(), n=20)[-1] * 1e3

    def _taken(self) -> list[float]:
        return [one.seconds for one in self.judged]


def in_turn(assessors: Sequence[Assessor], times: int) -> list[Load]:
    """Each judges so many times, one after the other, so that other load on the machine falls on all alike."""
    judged: list[list[Judged]] = [[] for _ in assessors]
    start = time.perf_counter()
    for number in range(times):
        for assessor, its in zip(assessors, judged, strict=True):
            its.append(assessor.judge(number % 4))
    return [Load(its, [], time.perf_counter() - start) for its in judged]


def at_once(assessors: Sequence[Assessor], goes_on: Callable[[int], bool]) -> Load:
    """Each in a thread of its own, as long as `goes_on` (given how often it has judged) and nothing fails."""
    judged, errors, gate = [], [], threading.Barrier(len(assessors) + 1)

    def work(assessor: Assessor) -> None:
        gate.wait()
        times = 0
        try:
            while goes_on(times):
                judged.append(assessor.judge(times % 4))
                times += 1
        except Exception as fault:
            errors.append(f"{type(fault).__name__}: {fault}")

    threads = [threading.Thread(target=work, args=[assessor]) for assessor in assessors]
    for thread in threads:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    return Load(judged, errors, time.perf_counter() - start)
