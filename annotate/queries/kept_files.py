"""Where kept files lie: rows store paths relative to the data folder, so that it can be moved."""

from pathlib import Path

from django.conf import settings


def path(relative: str) -> Path:
    return Path(settings.DATA_DIR) / relative


def folder(name: str) -> Path:
    """A folder below the data folder, made where missing."""
    made = path(name)
    made.mkdir(parents=True, exist_ok=True)
    return made
