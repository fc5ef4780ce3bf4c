"""How far background work is, how long it will still take, and whether a worker answers at all."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from annotate.models import Collection, Work, Worker


@dataclass(frozen=True)
class Progress:
    """`rate` in units a second and `seconds_left` are None while they are not known."""

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


def measure_progress(work: Work, now: datetime) -> Progress:
    rate = _rate(work, now)
    if rate is None or work.total is None:
        return Progress(work, rate, None)
    return Progress(work, rate, max(0, work.total - work.done) / rate)


def newest_progress(collection: Collection, kind: str, now: datetime) -> Progress | None:
    """The progress of the work of a kind that was asked for last."""
    work = Work.objects.filter(collection=collection, kind=kind).order_by("created_at", "pk").last()
    return measure_progress(work, now) if work else None


def unfinished_progress(collection: Collection, kind: str, now: datetime) -> Progress | None:
    """The newest work of a kind, unless it is done: it waits, goes on, was stopped or failed."""
    progress = newest_progress(collection, kind, now)
    return None if progress is None or progress.work.state == Work.State.DONE else progress


def _rate(work: Work, now: datetime) -> float | None:
    if work.state != Work.State.RUNNING or work.started_at is None or not work.done:
        return None
    seconds = (now - work.started_at).total_seconds()
    return work.done / seconds if seconds >= 1 else None


SILENCE = timedelta(seconds=30)
# A worker that was rung for new work gets this long to show itself.
PATIENCE = timedelta(seconds=5)


def is_worker_silent(collection: Collection, now: datetime) -> bool:
    """Whether work of the collection waits while no worker has left a sign of life for 30 seconds."""
    waits = Q(state=Work.State.QUEUED) | Q(state=Work.State.RUNNING, lease_until__lt=now)
    waiting = Work.objects.filter(waits, collection=collection, created_at__lte=now - PATIENCE)
    return waiting.exists() and not Worker.objects.filter(beat_at__gt=now - SILENCE).exists()
