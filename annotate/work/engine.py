"""The engine of background work: claim a row, lease it, run it step by step, resume it where a dead worker left it."""

import itertools
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
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
from annotate.work.queue import QUEUES, CannotGoOn, Step

LEASE = timedelta(seconds=30)
BEAT_SECONDS = 5
WATCH_SECONDS = 0.2
TURN_SECONDS = 15.0  # of work that can be interrupted, while another collection's waits
MOST_ATTEMPTS = 5

logger = logging.getLogger(__name__)


def run_waiting(*, until: Callable[[], bool] = lambda: False, queues: Sequence[str] = ()) -> int:
    """Run pieces of work, of these queues if any, one after the other while some wait; returns how many were run."""
    for number in itertools.count():
        if until() or (work := claim(queues=queues)) is None:
            return number
        run(work)
    raise AssertionError("unreachable")


# Of what waits in one queue of a collection only the oldest piece is looked at, and nothing while one of it runs, or
# counts as running until its lease is taken up again: thousands that wait cost no more than one. Written out, since
# every resting worker asks each second: to put it together from objects takes ten times what asking takes.
NEXT = """
    WITH asked AS (SELECT column1 AS lane FROM (VALUES {queues}) AS names)
    SELECT w.id FROM annotate_work w WHERE w.id IN (
        SELECT r.id FROM annotate_work r JOIN asked ON asked.lane = r.lane
        WHERE r.state = 'RUNNING' AND r.lease_until < %(now)s
        UNION ALL
        SELECT q.id FROM annotate_work q JOIN asked ON asked.lane = q.lane
        WHERE q.state = 'QUEUED' AND q.collection_id IS NULL AND (q.not_before IS NULL OR q.not_before <= %(now)s)
        UNION ALL
        SELECT (SELECT q.id FROM annotate_work q
                WHERE q.state = 'QUEUED' AND q.collection_id = c.id AND q.lane = asked.lane
                  AND (q.not_before IS NULL OR q.not_before <= %(now)s)
                ORDER BY q.created_at, q.id LIMIT 1)
        FROM annotate_collection c CROSS JOIN asked
        WHERE NOT EXISTS (SELECT 1 FROM annotate_work r
                          WHERE r.state = 'RUNNING' AND r.collection_id = c.id AND r.lane = asked.lane)
    )
    ORDER BY (SELECT max(s.served_at) FROM annotate_work s WHERE s.collection_id = w.collection_id) NULLS FIRST,
             w.created_at, w.id LIMIT 1
"""


def claim(*, work_id: int | None = None, queues: Sequence[str] = ()) -> Work | None:
    """Take a piece that waits, or whose worker died, by one conditional UPDATE; of these queues, if any. The collection
    that was served least recently comes first, of a collection's the oldest piece."""
    now = timezone.now()
    while (chosen := _find_next(queues or QUEUES, now) if work_id is None else _find_named(work_id, now)) is not None:
        if _lease(Work.objects.filter(_may_start(now), pk=chosen), now):
            return Work.objects.select_related("collection").get(pk=chosen)
    return None


def _find_next(queues: Sequence[str], now: datetime) -> int | None:
    names = {f"queue_{number}": queue for number, queue in enumerate(queues)}
    statement = NEXT.format(queues=", ".join(f"(%({name})s)" for name in names))
    with connection.cursor() as cursor:
        cursor.execute(statement, {**names, "now": connection.ops.adapt_datetimefield_value(now)})
        row = cursor.fetchone()
    return row[0] if row else None


def _find_named(work_id: int, now: datetime) -> int | None:
    """The piece itself, unless another one of the collection's queue runs."""
    running = Work.objects.filter(collection=OuterRef("collection"), queue=OuterRef("queue"), state=Work.State.RUNNING)
    free = Work.objects.filter(_may_start(now), ~Exists(running.exclude(pk=work_id)), pk=work_id)
    return free.values_list("pk", flat=True).first()


def _may_start(now: datetime) -> Q:
    is_due = Q(not_before=None) | Q(not_before__lte=now)
    return Q(is_due, state=Work.State.QUEUED) | Q(state=Work.State.RUNNING, lease_until__lt=now)


def _lease(chosen: QuerySet[Work], now: datetime) -> bool:
    """Whether the row is now ours. The constraint on queues says no where another worker was quicker."""
    try:
        return bool(
            chosen.update(
                state=Work.State.RUNNING,
                token=uuid.uuid4(),
                lease_until=now + LEASE,
                served_at=now,
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
    turn_ends_at = time.monotonic() + TURN_SECONDS
    for step in steps:
        if not _move(work, step) or _is_stop_wanted(work):
            return Work.State.STOPPED, None
        on_step(work)
        if step.not_before:
            return Work.State.QUEUED, step.not_before
        if step.may_alternate and time.monotonic() >= turn_ends_at and _do_others_wait(work):
            return Work.State.QUEUED, timezone.now()
    return Work.State.DONE, None


def _do_others_wait(work: Work) -> bool:
    """Whether another collection has work of this queue that could start now."""
    return _find_next((work.queue,), timezone.now()) is not None  # of a collection with running work it names none


def see_through(work_id: int, on_step: Callable[[Work], None] = lambda work: None) -> Work:
    """Run a piece of work here, or watch it where a worker was quicker, until it is over."""
    while True:
        if (leased := claim(work_id=work_id)) is not None:
            try:
                run(leased, on_step)
            except BaseException:  # Ctrl-C: whoever comes next need not wait for the lease to run out
                give_back(leased)
                raise
        row = Work.objects.get(pk=work_id)
        if row.is_over:
            return row
        _release_what_died(row)
        on_step(row)
        time.sleep(WATCH_SECONDS)


def _release_what_died(waiting: Work) -> None:
    """Let pieces wait again that a worker which is gone had of this queue: without another worker nobody takes them up,
    and nothing else of the queue would ever start."""
    gone = Work.objects.filter(
        collection=waiting.collection_id, queue=waiting.queue, state=Work.State.RUNNING, lease_until__lt=timezone.now()
    )
    gone.exclude(pk=waiting.pk).update(state=Work.State.QUEUED, token=None, lease_until=None)


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
