"""The kept files of an installation: what rows name and the database does not hold."""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from annotate.work import kept_files

_CHUNK = 1 << 20


def paths() -> list[str]:
    """Every kept file, relative to the data folder."""
    root = kept_files.path(".")
    found = (path for folder in kept_files.FOLDERS for path in (root / folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(root).as_posix() for path in found if not path.name.startswith("."))


def chunks(relative: str) -> Iterator[bytes]:
    with kept_files.path(relative).open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def digest(relative: str) -> str:
    """The SHA-256 of a kept file."""
    found = hashlib.sha256()
    for chunk in chunks(relative):
        found.update(chunk)
    return found.hexdigest()


def is_kept(relative: str) -> bool:
    """Whether the path is of a kept file: in one of the folders, and not out of it again by a `..`."""
    parts = PurePosixPath(relative).parts
    return len(parts) > 1 and parts[0] in kept_files.FOLDERS and ".." not in parts and "\\" not in relative


def put_back(relative: str, chunks: Iterable[bytes]) -> Path:
    """Write a kept file, whole or not at all."""
    path = kept_files.path(relative)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".restored-", delete=False) as stream:
        try:
            stream.writelines(chunks)
            stream.flush()
            os.fsync(stream.fileno())
            os.replace(stream.name, path)
        except BaseException:
            os.unlink(stream.name)
            raise
    return path
