"""Empty databases that are migrated already: made once, kept by the digest of the migrations, and copied."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import django
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "migrated"


def copy(target: Path | str) -> None:
    """Put an empty SQLite database there."""
    shutil.copyfile(_sqlite(), target)


def template() -> str:
    """The name of a PostgreSQL database on the server of DATABASE_URL, from which empty ones are made."""
    name = f"lacuna_migrated_{_digest()[:16]}"
    with _alone(), connections[DEFAULT_DB_ALIAS]._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone() is None:
            making = f"{name}_{os.getpid()}"
            cursor.execute(f'CREATE DATABASE "{making}"')
            _migrate(DATABASE_URL=urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{making}").geturl())
            cursor.execute(f'ALTER DATABASE "{making}" RENAME TO "{name}"')
    return name


def _sqlite() -> Path:
    kept = KEPT / f"{_digest()}.sqlite3"
    with _alone():
        if not kept.exists():
            shutil.rmtree(KEPT)
            KEPT.mkdir()
            with tempfile.TemporaryDirectory(prefix="lacuna-migrated-", dir=KEPT) as folder:
                _migrate(LACUNA_DATA_DIR=folder)
                (Path(folder) / "db.sqlite3").rename(kept)
    return kept


def _migrate(**environment: str) -> None:
    ours = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "-v0"],
        env={**ours, "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        check=True,
    )


def _digest() -> str:
    """Of Django's version and of every migration of every app."""
    digest = hashlib.sha256(django.__version__.encode())
    for app in sorted(apps.get_app_configs(), key=lambda app: app.label):
        for file in sorted((Path(app.path) / "migrations").glob("*.py")):
            digest.update(f"{app.label}/{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: the others of pytest-xdist wait and find what it made."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT.parent / "migrated.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
