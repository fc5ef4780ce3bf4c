"""Entering background work. The row is the truth; with a broker a worker is rung once the row is committed."""

import logging
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from annotate.models import Collection, User, Work
from annotate.rules.lanes import FACTS, FINDINGS, LANES, SUGGESTIONS

__all__ = ["FACTS", "FINDINGS", "LANES", "SUGGESTIONS", "enqueue", "ring", "stop"]

logger = logging.getLogger(__name__)


def enqueue(
    *,
    collection: Collection | None,
    kind: str,
    lane: str,
    subject: str,
    arguments: dict[str, object],
    by: User | None,
    now: datetime,
) -> Work:
    """Queue work; of a collection's work in one lane only one piece runs at a time."""
    work = Work.objects.create(
        collection=collection,
        kind=kind,
        lane=lane,
        subject=subject[:200],
        arguments=arguments,
        created_by=by,
        created_at=now,
    )
    transaction.on_commit(partial(ring, lane))
    return work


def ring(lane: str) -> None:
    """Tell a lane's Celery workers that a row waits. A bell that fails loses nothing: they look at the rows anyway."""
    if not settings.CELERY_BROKER_URL:
        return
    from celery import current_app  # a third of a second: only where it is used

    try:
        current_app.send_task("annotate.tasks.run_waiting", kwargs={"lanes": [lane]}, queue=lane, ignore_result=True)
    except Exception:
        logger.warning("the broker does not answer; the work waits in its row", exc_info=True)


@transaction.atomic
def stop(*, work: Work) -> None:
    """Ask running work to stop at its next step; what waits is stopped at once."""
    Work.objects.filter(pk=work.pk, state=Work.State.QUEUED).update(state=Work.State.STOPPED, finished_at=Now())
    Work.objects.filter(pk=work.pk, state=Work.State.RUNNING).update(is_stop_wanted=True)
