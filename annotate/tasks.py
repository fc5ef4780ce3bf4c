"""What Celery's workers call. The message carries nothing: the rows say what waits."""

from celery import shared_task

from annotate import work


@shared_task(name="annotate.tasks.run_waiting")
def run_waiting(**kwargs: object) -> int:
    work.beat()
    return work.run_waiting()
