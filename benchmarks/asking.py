"""How fast a model is asked, and what a killed worker loses: `python -m benchmarks.asking` writes docs/benchmarks.md.

A real worker asks a stand-in of the service, in a process of its own, by the real SDK over HTTP.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import asking_site, judging_server, report
from benchmarks.asking_site import Site
from benchmarks.report import Row

PAIRS, SERIAL_PAIRS = 2_000, 100
ANSWER_SECONDS = 0.2
CONCURRENCY = 32
LEAST_SHARE = 0.85
KILLS, FAULTY = 3, 0.25
_PACKAGES = ("Django", "anthropic")


def main() -> None:
    load_before = os.getloadavg()[0]
    serial, _ = _rate(SERIAL_PAIRS, concurrency=1)
    rows = [*_speed(serial), *_chaos()]
    text = (
        f"{PAIRS:,} pairs, a stand-in that takes {ANSWER_SECONDS * 1000:.0f} ms for an answer, `manage.py work` on "
        f"SQLite, the real SDK. Written by `python -m benchmarks.asking`.\n\n{report.table(rows)}\n"
        f"The machine's load before: {load_before:.1f}. {report.machine(_PACKAGES)}"
    )
    report.write_section("Asking models", text)
    print(text)


def _speed(serial: float) -> Iterator[Row]:
    ideal, (rate, busy) = CONCURRENCY / ANSWER_SECONDS, _rate(PAIRS, CONCURRENCY)
    measured = (
        f"{rate:.0f} of {ideal:.0f} answers a second: {rate / ideal:.0%} ({rate / serial:.0f} times the loop); "
        f"the worker's processor time with its start: {busy:.1f} s"
    )
    yield Row(
        f"{CONCURRENCY} calls under way", measured, f"at least {LEAST_SHARE:.0%}", is_met=rate >= LEAST_SHARE * ideal
    )
    yield Row("one call after the other", f"{serial:.1f} answers a second", "none: for comparison", is_met=True)


def _rate(pairs: int, concurrency: int) -> tuple[float, float]:
    """Answers a second from the first call to the last, each stored before the next is asked; and the worker's
    processor seconds."""
    with _site(pairs, seconds=ANSWER_SECONDS) as site:
        site.ask("--concurrency", str(concurrency))
        before = os.times()
        site.manage("work", "--once")
        after = os.times()
        counts = site.service.counts()
        assert counts.calls == pairs
        busy = after.children_user + after.children_system - before.children_user - before.children_system
        return counts.calls / counts.seconds, busy


def _chaos() -> Iterator[Row]:
    with _site(PAIRS, seconds=ANSWER_SECONDS, share=FAULTY) as site:
        result = asking_site.run_killed_batch(site, kills=KILLS, concurrency=CONCURRENCY)
    work = f"{FAULTY:.0%} of the requests meet a fault, the worker is killed {KILLS} times"
    states = ", ".join(f"{count:,} {state.lower()}" for state, count in result.states.most_common())
    yield Row(work, states, "every pair in exactly one final state", result.is_whole)
    lost, cost = result.paid[0] - result.stored[0], result.paid[1] - result.stored[1]
    yield Row(
        "answers that were paid and are not stored",
        f"{lost} (${cost:.4f} of ${result.paid[1]:.4f})",
        f"those under way at the kills: at most {result.most_lost}",
        result.is_within_what_was_under_way,
    )


@contextmanager
def _site(pairs: int, **script: object) -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as folder, asking_site.standing_in(**script) as service:
        data = Path(folder)
        judging_server.python(data, "manage.py", "migrate", "--verbosity", "0")
        site = Site(data, service)
        site.fill(topics=pairs // 10)
        yield site


if __name__ == "__main__":
    main()
