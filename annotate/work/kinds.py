"""What a kind of background work is: steps, after each of which progress shows and a crash loses nothing."""

import time
from collections.abc import Callable, Generator
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from annotate.models import Work

# SQLite has one writer at a time: the pause lets people's saves through.
PAUSE_SECONDS = 0.03


class Step(NamedTuple):
    """`done` of `total` units; `cursor` is handed back when the work goes on after a crash.

    `not_before`: what the work waits for cannot be there earlier, so the worker is free for other work until then.
    """

    done: int
    total: int | None = None
    cursor: object = None
    note: str = ""
    not_before: datetime | None = None


class LeaseLost(Exception):
    """The work is another's by now: what was brought back is not stored."""


class CannotGoOn(Exception):
    """Work that ends for a reason that people can mend; the message is what they read."""


def let_others_write() -> None:
    if connection.vendor == "sqlite":
        time.sleep(PAUSE_SECONDS)


Handler = Callable[[Work], Generator[Step]]

registered: dict[str, Handler] = {}


def register(kind: str, handler: Handler) -> None:
    """Teach the engine another kind of work; evaluation does so when it is loaded."""
    registered[kind] = handler
