"""What a kind of background work is: steps, after each of which progress shows and a crash loses nothing."""

import time
from collections.abc import Generator, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from django.db import connection
from django.utils.module_loading import import_string

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
    """Work that ends for a reason that people can do something about; the message is what they read."""


def let_others_write() -> None:
    if connection.vendor == "sqlite":
        time.sleep(PAUSE_SECONDS)


class Runner(Protocol):
    """What runs a piece of work, in steps: a generator, which is closed where the work is stopped or its lease lost."""

    def __call__(self, work: Work, /) -> Generator[Step]: ...


registered: dict[str, Runner | str] = {}


def register(runners: Mapping[str, Runner | str]) -> None:
    """Say what runs each kind of work; each app does so when it is loaded.

    `package.module.function` is imported when a first piece is run: models and statistics cost a second or two, which
    not every command that starts should pay.
    """
    registered.update(runners)


def find_runner(kind: str) -> Runner:
    runner = registered[kind]
    if isinstance(runner, str):
        found: Runner = import_string(runner)
        return found
    return runner
