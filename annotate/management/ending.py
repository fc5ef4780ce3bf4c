"""Being asked to end: SIGTERM, SIGINT and SIGHUP become a question that a loop puts between two pieces of work."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_REQUESTS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def asked() -> Iterator[Callable[[], bool]]:
    """Inside, the three signals only set what the yielded function tells; main thread only."""
    heard: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: heard.append(number)) for number in _REQUESTS}
    try:
        yield lambda: bool(heard)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
