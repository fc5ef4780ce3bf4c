"""The Celery application of the larger size: `celery -A config worker -B`, on any number of machines."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lacuna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
