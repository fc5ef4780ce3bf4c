"""Settings, URLs and the Celery application. No app imports this package."""

import os

if os.environ.get("CELERY_BROKER_URL"):  # Celery costs a third of a second to import: only where it is used
    from config.celery import app as celery_app

    __all__ = ["celery_app"]
