"""How far a piece of background work is, how fast it goes and how long it will still take."""

from dataclasses import dataclass
from datetime import datetime

from annotate.models import Collection, Work


@dataclass(frozen=True)
class Progress:
    """`rate` in units a second and `seconds_left` are None while nothing can be said of them."""

    work: Work
    rate: float | None
    seconds_left: float | None

    @property
    def time_left(self) -> str:
        """The time left in words; empty where it is not known."""
        if self.seconds_left is None:
            return ""
        if self.seconds_left < 60:
            return "less than a minute left"
        if self.seconds_left < 5400:
            return f"about {self.seconds_left / 60:.0f} min left"
        return f"about {self.seconds_left / 3600:.0f} h left"


def of(work: Work, now: datetime) -> Progress:
    rate = _rate(work, now)
    is_measured = rate is not None and work.total is not None
    return Progress(work, rate, max(0, work.total - work.done) / rate if is_measured else None)


def newest(collection: Collection, kind: str, now: datetime) -> Progress | None:
    """The progress of the work of a kind that was asked for last."""
    work = Work.objects.filter(collection=collection, kind=kind).order_by("created_at", "pk").last()
    return of(work, now) if work else None


def unfinished(collection: Collection, kind: str, now: datetime) -> Progress | None:
    """The newest work of a kind, unless it is done: it waits, goes on, was stopped or failed."""
    progress = newest(collection, kind, now)
    return None if progress is None or progress.work.state == Work.State.DONE else progress


def _rate(work: Work, now: datetime) -> float | None:
    if work.state != Work.State.RUNNING or work.started_at is None or not work.done:
        return None
    seconds = (now - work.started_at).total_seconds()
    return work.done / seconds if seconds >= 1 else None
