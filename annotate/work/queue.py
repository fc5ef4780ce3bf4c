"""Kinds of background work, and the queue in which pieces wait: asked for once, claimed by one worker."""

import logging
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from annotate.models import Collection, ImportedFile, User, Work
from annotate.rules import FACTS as FACTS
from annotate.rules import FINDINGS as FINDINGS
from annotate.rules import QUEUES as QUEUES
from annotate.rules import SUGGESTIONS as SUGGESTIONS

# SQLite has one writer at a time: the pause lets people's saves through.
PAUSE_SECONDS = 0.03


class Step(NamedTuple):
    """`done` of `total` units; `cursor` is handed back when the work goes on after a crash.

    `not_before`: what the work waits for cannot be there earlier, so the worker is free for other work until then.
    `may_alternate`: going on from here later costs little, so work of other collections may take its turn.
    """

    done: int
    total: int | None = None
    cursor: object = None
    note: str = ""
    not_before: datetime | None = None
    may_alternate: bool = False


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


logger = logging.getLogger(__name__)


def enqueue(
    *,
    collection: Collection | None,
    kind: str,
    queue: str,
    subject: str,
    arguments: dict[str, object],
    by: User | None,
    now: datetime,
) -> Work:
    """Queue work of a registered kind; of a collection's work in one queue only one piece runs at a time."""
    if kind not in registered:
        raise ValueError(f"{kind!r} is no kind of background work; there are {sorted(registered)}.")
    work = Work.objects.create(
        collection=collection,
        kind=kind,
        queue=queue,
        subject=subject[:200],
        arguments=arguments,
        created_by=by,
        created_at=now,
    )
    transaction.on_commit(partial(ring_workers, queue))
    return work


@dataclass(frozen=True)
class WorkRequest:
    """Work that is done once, however many ask for it.

    `same_by` names the arguments by which two ask for the same: who comes later joins what waits, or runs too, unless
    `joins_running` says that it began too early for that. `final_by` names those by which work that failed or was
    stopped is an answer, which people may resume; without it, who asks again starts it again.
    """

    collection: Collection
    kind: str
    queue: str
    subject: str
    arguments: dict[str, object]
    same_by: tuple[str, ...] = ()
    joins_running: bool = True
    final_by: tuple[str, ...] | None = None


def ask_once(request: WorkRequest, *, by: User | None, now: datetime) -> Work:
    """The work that does what is asked for: under way, ended without success where that is final, or queued now."""
    return find_asked(request) or _enqueue_once(request, by, now)


def find_asked(request: WorkRequest) -> Work | None:
    """The work that others asked for, None where there is none to join."""
    under_way = [Work.State.QUEUED, Work.State.RUNNING] if request.joins_running else [Work.State.QUEUED]
    if joined := _alike(request, request.same_by).filter(state__in=under_way).last():
        return joined
    last = None if request.final_by is None else _alike(request, request.final_by).last()
    return last if last and last.state in (Work.State.FAILED, Work.State.STOPPED) else None


def _alike(request: WorkRequest, names: Sequence[str]) -> QuerySet[Work]:
    same = {f"arguments__{name}": request.arguments[name] for name in names}
    return Work.objects.filter(collection=request.collection, kind=request.kind, **same).order_by("pk")


@transaction.atomic
def _enqueue_once(request: WorkRequest, by: User | None, now: datetime) -> Work:
    """Two who ask at once wait for one piece of work."""
    Collection.objects.select_for_update(no_key=True).get(pk=request.collection.pk)
    return find_asked(request) or enqueue(
        collection=request.collection,
        kind=request.kind,
        queue=request.queue,
        subject=request.subject,
        arguments=request.arguments,
        by=by,
        now=now,
    )


def ring_workers(queue: str) -> None:
    """Tell a queue's Celery workers that a row waits. A bell that fails loses nothing: they look at the rows anyway."""
    if not settings.CELERY_BROKER_URL:
        return
    from celery import current_app  # a third of a second: only where it is used

    try:
        current_app.send_task("annotate.tasks.run_waiting", kwargs={"queues": [queue]}, queue=queue, ignore_result=True)
    except Exception:
        logger.warning("the broker does not answer; the work waits in its row", exc_info=True)


@transaction.atomic
def stop(*, work: Work) -> None:
    """Ask running work to stop at its next step; what waits is stopped at once."""
    Work.objects.filter(pk=work.pk, state=Work.State.QUEUED).update(state=Work.State.STOPPED, finished_at=Now())
    Work.objects.filter(pk=work.pk, state=Work.State.RUNNING).update(is_stop_wanted=True)


def release(*, work: Work) -> None:
    """Let work wait again whose lease was given back."""
    given_back = Work.objects.filter(pk=work.pk, state=Work.State.RUNNING, lease_until__lte=Now())
    given_back.update(state=Work.State.QUEUED, token=None, lease_until=None)


class CannotResume(Exception):
    """Why the work is not taken up again."""


@transaction.atomic
def resume(*, work: Work) -> None:
    """Queue the work again; it goes on at its last step. Raises CannotResume."""
    locked = Work.objects.select_for_update().get(pk=work.pk)
    if locked.state not in (Work.State.STOPPED, Work.State.FAILED):
        raise CannotResume(f"The {locked.subject} is {locked.get_state_display()}: there is nothing to take up again.")
    _check_file(locked)
    Work.objects.filter(pk=locked.pk).update(
        state=Work.State.QUEUED, is_stop_wanted=False, not_before=None, attempts=0, error="", finished_at=None
    )
    transaction.on_commit(partial(ring_workers, locked.queue))


def _check_file(work: Work) -> None:
    imported = ImportedFile.objects.filter(pk=work.arguments.get("imported_file")).first()
    if imported and imported.state == ImportedFile.State.REFUSED:
        raise CannotResume(f"{imported.name} was refused: mend the file and import it again.")
    if imported and imported.work_id != work.pk:
        raise CannotResume(f"{imported.name} was withdrawn since.")
