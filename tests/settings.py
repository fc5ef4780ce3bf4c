"""Settings of the tests: the real ones with a data folder of their own, a fast password hash and plain static files."""

import os
import tempfile
from urllib.parse import urlsplit

if worker := os.environ.get("PYTEST_XDIST_WORKER", ""):  # several at once: each has its own folder and its own queues
    os.environ["LACUNA_DATA_DIR"] = tempfile.mkdtemp(prefix=worker, dir=os.environ.get("LACUNA_DATA_DIR"))
    if broker := os.environ.get("CELERY_BROKER_URL"):
        os.environ["CELERY_BROKER_URL"] = urlsplit(broker)._replace(path=f"/{worker.removeprefix('gw')}").geturl()
else:
    os.environ.setdefault("LACUNA_DATA_DIR", tempfile.mkdtemp(prefix="lacuna-tests-"))

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as in real use: threads and a live server share it, with the real locks.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}  # noqa: F405
