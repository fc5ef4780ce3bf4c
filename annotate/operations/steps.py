"""What long work tells after each committed batch, so that its progress shows and a crash loses at most one batch."""

from typing import NamedTuple


class Step(NamedTuple):
    """`done` of `total` units; `cursor` is handed back when the work goes on after a crash."""

    done: int
    total: int | None = None
    cursor: object = None
    note: str = ""


class CannotGoOn(Exception):
    """Work that ends for a reason that people can mend; the message is what they read."""
