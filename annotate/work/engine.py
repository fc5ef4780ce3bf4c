"""The engine of background work: claim a row, lease it, run it step by step, resume it where a dead worker left it."""

import itertools
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, close_old_connections, connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotate.formats.whole_files import Damaged
from annotate.llm import providers
from annotate.models import Work, Worker
from annotate.work import queue
from annotate.work.queue import CannotGoOn, Step

LEASE = timedelta(seconds=30)
BEAT_SECONDS = 5
WATCH_SECONDS = 0.2
MOST_ATTEMPTS = 5

logger = logging.getLogger(__name__)


def run_waiting(*, until: Callable[[], bool] = lambda: False, queues: Collection[str] = ()) -> int:
    """Run pieces of work, of these queues if any, one after the other while some wait; returns how many were run."""
    for number in itertools.count():
        if until() or (work := claim(queues=queues)) is None:
            return number
        run(work)
    raise AssertionError("unreachable")


def claim(*, work_id: int | None = None, queues: Collection[str] = ()) -> Work | None:
    """Take the oldest piece that waits, or whose worker died, by one conditional UPDATE; of these queues, if any."""
    now = timezone.now()
    may_start = _may_start(now)
    waiting = Work.objects.filter(may_start, _is_queue_free()).order_by("created_at", "pk")
    if work_id is not None:
        waiting = waiting.filter(pk=work_id)
    if queues:
        waiting = waiting.filter(queue__in=queues)
    while (chosen := waiting.values_list("pk", flat=True).first()) is not None:
        if _lease(Work.objects.filter(may_start, pk=chosen), now):
            return Work.objects.select_related("collection").get(pk=chosen)
    return None


def _may_start(now: datetime) -> Q:
    is_due = Q(not_before=None) | Q(not_before__lte=now)
    return Q(is_due, state=Work.State.QUEUED) | Q(state=Work.State.RUNNING, lease_until__lt=now)


def _is_queue_free() -> Q:
    """No other piece of the collection's queue runs, or counts as running until its lease is taken up again."""
    running = Work.objects.filter(collection=OuterRef("collection"), queue=OuterRef("queue"), state=Work.State.RUNNING)
    return Q(~Exists(running.exclude(pk=OuterRef("pk"))))


def _lease(chosen: QuerySet[Work], now: datetime) -> bool:
    """Whether the row is now ours. The constraint on queues says no where another worker was quicker."""
    try:
        return bool(
            chosen.update(
                state=Work.State.RUNNING,
                token=uuid.uuid4(),
                lease_until=now + LEASE,
                attempts=F("attempts") + 1,
                started_at=Coalesce("started_at", now),
            )
        )
    except IntegrityError:
        return False


def run(work: Work, on_step: Callable[[Work], None] = lambda work: None) -> None:
    """Run a leased piece to its end, its stop, or the loss of its lease; never raises for a fault of the work."""
    try:
        if work.attempts > MOST_ATTEMPTS:
            raise CannotGoOn(f"The worker died {MOST_ATTEMPTS} times on this; it is not tried again.")
        with _kept_alive(work), closing(queue.find_runner(work.kind)(work)) as steps:
            state, not_before = _follow(work, steps, on_step)
        # Only now: while its steps are closed, the work may still store what it had under way, which needs the lease.
        if not_before:
            _put_off(work, not_before)
        else:
            _end(work, state)
    except (CannotGoOn, Damaged) as reason:
        _end(work, Work.State.FAILED, str(reason))
    except Exception as error:
        logger.exception("work %s (%s) failed", work.pk, work.kind)
        _end(
            work, Work.State.FAILED, f"An unexpected fault ({type(error).__name__}); the server's log has the details."
        )


def _follow(work: Work, steps: Iterator[Step], on_step: Callable[[Work], None]) -> tuple[Work.State, datetime | None]:
    """Take the steps while nothing speaks against it: the state to end in, or the moment to go on at."""
    for step in steps:
        if not _move(work, step) or _is_stop_wanted(work):
            return Work.State.STOPPED, None
        on_step(work)
        if step.not_before:
            return Work.State.QUEUED, step.not_before
    return Work.State.DONE, None


def see_through(work_id: int, on_step: Callable[[Work], None] = lambda work: None) -> Work:
    """Run a piece of work here, or watch it where a worker was quicker, until it is over."""
    while True:
        if (leased := claim(work_id=work_id)) is not None:
            run(leased, on_step)
        row = Work.objects.get(pk=work_id)
        if row.is_over:
            return row
        on_step(row)
        time.sleep(WATCH_SECONDS)


def give_back(work: Work) -> None:
    """End a lease now, so that the next worker goes on at once; leaving in order is not a failed attempt."""
    Work.objects.filter(pk=work.pk, token=work.token, state=Work.State.RUNNING).update(
        lease_until=timezone.now(), attempts=F("attempts") - 1
    )


def _move(work: Work, step: Step) -> bool:
    """Store the progress. False where the lease is another's by now; ending it then changes nothing."""
    work.done, work.total, work.cursor = step.done, step.total, step.cursor
    work.note = step.note or work.note
    held = Work.objects.filter(pk=work.pk, token=work.token)
    return bool(held.update(done=work.done, total=work.total, cursor=work.cursor, note=work.note))


def _is_stop_wanted(work: Work) -> bool:
    return Work.objects.filter(pk=work.pk, token=work.token, is_stop_wanted=True).exists()


def _put_off(work: Work, until: datetime) -> None:
    """Let go of work that waits for something outside; it is no failed attempt."""
    Work.objects.filter(pk=work.pk, token=work.token).update(
        state=Work.State.QUEUED, not_before=until, lease_until=None, token=None, attempts=F("attempts") - 1
    )


def _end(work: Work, state: str, error: str = "") -> None:
    # A reason can repeat what a service or a file said, signs that no database takes among it.
    work.state, work.error, work.finished_at = state, providers.storable(error), timezone.now()
    Work.objects.filter(pk=work.pk, token=work.token).update(
        state=state, error=work.error, finished_at=work.finished_at, lease_until=None, token=None
    )


@contextmanager
def _kept_alive(work: Work) -> Iterator[None]:
    """Renew the lease from a thread, so that one long step does not lose it; a killed process renews nothing."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(BEAT_SECONDS):
            try:
                Work.objects.filter(pk=work.pk, token=work.token).update(lease_until=timezone.now() + LEASE)
                beat()
            except Exception:  # whatever it is: a thread that ends here would lose the lease without a word
                logger.warning("the lease of work %s could not be renewed; trying again", work.pk, exc_info=True)
                close_old_connections()
        connection.close()

    thread = threading.Thread(target=renew, name=f"lease of work {work.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def beat() -> None:
    """Leave a sign of life that pages read."""
    Worker.objects.update_or_create(name=f"{socket.gethostname()}:{os.getpid()}", defaults={"beat_at": timezone.now()})
