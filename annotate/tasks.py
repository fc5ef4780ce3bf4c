"""What Celery's workers call. The message only names lanes: the rows say what waits."""

from collections.abc import Sequence

from celery import shared_task
from django.utils import timezone

from annotate import engine
from annotate.own_judges.operations import requests
from annotate.rules.lanes import SUGGESTIONS


@shared_task(name="annotate.tasks.run_waiting")
def run_waiting(lanes: Sequence[str] = (), **kwargs: object) -> int:
    """Work of these lanes, of all where none is named."""
    engine.beat()
    if SUGGESTIONS in lanes or not lanes:
        requests.enqueue_due(timezone.now())
    return engine.run_waiting(lanes=lanes)
