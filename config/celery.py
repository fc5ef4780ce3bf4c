"""The Celery application of the larger size: `celery -A config worker`, on any number of machines.

Each queue of work is one of Celery's, so that workers can be kept free of what takes hours; who names none serves all.
"""

import os

from celery import Celery
from kombu import Queue

from annotate.rules import QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lacuna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in QUEUES]
# A lost message loses nothing: every half minute a worker of each queue looks at the rows by itself.
app.conf.beat_schedule = {
    f"look-at-{name}": {
        "task": "annotate.tasks.run_waiting",
        "schedule": 30.0,
        "kwargs": {"queues": [name]},
        "options": {"queue": name},
    }
    for name in QUEUES
}
app.autodiscover_tasks()
