"""The file of a backup: a zip of entries, and a manifest with the SHA-256 of each that is written last."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error as DeflateError

from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged

FORMAT = "lacuna backup 1"
MANIFEST = "manifest.json"
_PARTS = {"migrations": list, "rows": dict, "sha256": dict}
_CHUNK = 1 << 20


@contextmanager
def open_new(path: Path) -> Iterator[ZipFile]:
    """A new archive that is at `path` when the block ends well, and nowhere otherwise; only its owner may read it.

    Raises FileExistsError where something is at `path` already.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists already; a backup replaces nothing.")
    path.parent.stat()  # a backup makes no folder: it may be the place of a disk that is not there
    with whole_files.replace(path) as stream, ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        yield archive


def add_entry(archive: ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    """Stream an entry in; returns the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as stream:
        for chunk in chunks:
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def add_manifest(archive: ZipFile, manifest: dict[str, Any]) -> None:
    archive.writestr(MANIFEST, json.dumps({"format": FORMAT, **manifest}, indent=2))


@contextmanager
def open_checked(path: Path) -> Iterator[tuple[ZipFile, dict[str, Any]]]:
    """The archive at `path` and its manifest, once every byte of it is checked. Raises Damaged and OSError."""
    try:
        archive = ZipFile(path)
    except BadZipFile as error:
        raise Damaged(f"{path} is not a backup, or not a whole one: {error}") from error
    with archive:
        try:
            manifest = _manifest(archive)
            _check(archive, manifest["sha256"])
        except (BadZipFile, DeflateError, EOFError, ValueError, KeyError, TypeError) as error:
            raise Damaged(f"{path} is damaged: {error}") from error
        yield archive, manifest


def entry_chunks(archive: ZipFile, name: str) -> Iterator[bytes]:
    """The bytes of an entry, a megabyte at a time."""
    with archive.open(name) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _manifest(archive: ZipFile) -> dict[str, Any]:
    if MANIFEST not in archive.namelist():
        raise ValueError("it has no manifest.json.")
    manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if manifest["format"] != FORMAT:
        raise ValueError(f"its format is {manifest['format']!r}, not {FORMAT!r}.")
    for name, kind in _PARTS.items():
        if not isinstance(manifest.get(name), kind):
            raise ValueError(f"its manifest lacks {name}.")
    return manifest


def _check(archive: ZipFile, digests: dict[str, str]) -> None:
    if sorted(archive.namelist()) != sorted([MANIFEST, *digests]):
        raise ValueError("its entries are not those of its manifest.")
    for name, expected in digests.items():
        digest = hashlib.sha256()
        for chunk in entry_chunks(archive, name):
            digest.update(chunk)
        if digest.hexdigest() != expected:
            raise ValueError(f"{name} does not have the SHA-256 of the manifest.")
