"""The application that gunicorn serves."""

import importlib
import os
import threading

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def _warm_up() -> None:
    """Import what takes seconds, so that the first page of agreement does not wait for it."""
    for name in ("krippendorff", "sklearn.metrics"):
        importlib.import_module(name)


threading.Thread(target=_warm_up, name="slow imports", daemon=True).start()
