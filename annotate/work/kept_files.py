"""Where kept files lie: rows store paths relative to the data folder, so that it can be moved."""

import hashlib
from pathlib import Path

from django.conf import settings

from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged

# All that a backup copies. Each file in them is written under a hidden name and put in place whole; it never changes.
FOLDERS = ("imports", "runs", "exports", "training", "studies")


def path(relative: str) -> Path:
    return Path(settings.DATA_DIR) / relative


def folder(name: str) -> Path:
    """One of the kept folders, or one below it, made where missing. Raises ValueError for any other."""
    if name.split("/")[0] not in FOLDERS:
        raise ValueError(f"{name} is none of the kept folders {FOLDERS}")
    made = path(name)
    whole_files.make_folder(made)
    return made


def keep_json(name: str, text: str) -> str:
    """Keep a text of JSON in one of the folders by its SHA-256, which is returned. A damaged copy is written anew."""
    content = text.encode()
    digest = hashlib.sha256(content).hexdigest()
    kept = folder(name) / f"{digest}.json"
    if not whole_files.is_whole(kept, digest):
        whole_files.write(kept, [content])
    return digest


def read_json(name: str, digest: str) -> str:
    """The text that was kept. Raises FileNotFoundError, and Damaged with a sentence for people."""
    relative = f"{name}/{digest}.json"
    try:
        return whole_files.read_checked(path(relative), digest).decode()
    except Damaged:
        raise Damaged(f"The file {relative} in the data folder is damaged: put it back from a backup.") from None
