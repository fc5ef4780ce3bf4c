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
    measured_at: datetime

    @property
    def waits_for(self) -> str:
        """In words; empty where nothing stands before the work."""
        return explain_waiting(self.work, self.measured_at)

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
        return Progress(work, rate, None, now)
    return Progress(work, rate, max(0, work.total - work.done) / rate, now)


def explain_waiting(work: Work, now: datetime) -> str:
    """What stands before work that could start: of a collection's work in one queue the oldest piece runs, alone; and
    workers may be busy elsewhere. Of other collections nothing is named. Empty where nothing does."""
    if work.state != Work.State.QUEUED or (work.not_before and work.not_before > now):
        return ""
    running = Work.objects.filter(state=Work.State.RUNNING)
    if work.collection_id is not None:
        beside = Q(collection=work.collection_id, queue=work.queue)
        is_older = Q(created_at__lt=work.created_at) | Q(created_at=work.created_at, pk__lt=work.pk)
        is_due = Q(not_before=None) | Q(not_before__lte=now)
        waiting = Work.objects.filter(beside, is_older, is_due, state=Work.State.QUEUED).order_by("created_at", "pk")
        if first := running.filter(beside).first() or waiting.first():
            number = f" (batch {first.arguments['batch']})" if "batch" in first.arguments else ""
            state = "runs" if first.state == Work.State.RUNNING else "is before it"
            return f"Waits for {first.subject}{number}, which {state}: in a collection one of them runs at a time."
    if busy := running.filter(lease_until__gt=now).count():
        pieces = "1 piece of other work runs" if busy == 1 else f"{busy} pieces of other work run"
        return f"Waits for a free worker: {pieces}. Each collection gets its turn."
    return ""


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
