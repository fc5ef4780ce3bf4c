"""What Celery's workers call. The message only names queues: the rows say what waits."""

from collections.abc import Sequence

from celery import shared_task
from django.utils import timezone

from annotate.own_judges.operations import requests
from annotate.rules import SUGGESTIONS
from annotate.work import engine


@shared_task(name="annotate.tasks.run_waiting")
def run_waiting(queues: Sequence[str] = (), **kwargs: object) -> int:
    """Work of these queues, of all where none is named."""
    engine.beat()
    if SUGGESTIONS in queues or not queues:
        requests.enqueue_due(timezone.now())
    return engine.run_waiting(queues=queues)
