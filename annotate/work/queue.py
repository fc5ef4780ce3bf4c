"""The queue of background work: rows are the truth. With a broker a worker is rung once a row is committed."""

import logging
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from annotate.models import Collection, ImportedFile, User, Work
from annotate.rules.queues import FACTS as FACTS
from annotate.rules.queues import FINDINGS as FINDINGS
from annotate.rules.queues import QUEUES as QUEUES
from annotate.rules.queues import SUGGESTIONS as SUGGESTIONS
from annotate.work import kinds

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
    if kind not in kinds.registered:
        raise ValueError(f"{kind!r} is no kind of background work; there are {sorted(kinds.registered)}.")
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
