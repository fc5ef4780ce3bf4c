"""Where kept files lie: rows store paths relative to the data folder, so that it can be moved."""

from pathlib import Path

from django.conf import settings

# All that a backup copies. Each file in them is written under a hidden name and put in place whole; it never changes.
FOLDERS = ("imports", "runs", "exports", "training", "studies")


def path(relative: str) -> Path:
    return Path(settings.DATA_DIR) / relative


def folder(name: str) -> Path:
    """One of the kept folders, or one below it, made where missing. Raises ValueError for any other."""
    if name.split("/")[0] not in FOLDERS:
        raise ValueError(f"{name} is none of the kept folders {FOLDERS}")
    made = path(name)
    made.mkdir(parents=True, exist_ok=True)
    return made
