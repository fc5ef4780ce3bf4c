"""The Celery application of the larger size: `celery -A config worker`, on any number of machines.

Each lane of work has a queue, so that workers can be kept free of what takes hours; who names none serves all of them.
"""

import os

from celery import Celery
from kombu import Queue

from annotate.rules.lanes import LANES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lacuna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(lane) for lane in LANES]
# A lost message loses nothing: every half minute a worker of each lane looks at the rows by itself.
app.conf.beat_schedule = {
    f"look-at-{lane}": {
        "task": "annotate.tasks.run_waiting",
        "schedule": 30.0,
        "kwargs": {"lanes": [lane]},
        "options": {"queue": lane},
    }
    for lane in LANES
}
app.autodiscover_tasks()
