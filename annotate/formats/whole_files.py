"""Writing a file whole and finding out when it is not: who reads sees it as it was or as it is, after a loss of power
too."""

import hashlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PRIVATE, PUBLIC = 0o600, 0o666
CHUNK = 1 << 20
_SEAL = b"lacuna sealed 1 "
_SEAL_LENGTH = len(_SEAL) + 64 + 1


class Damaged(Exception):
    """The bytes of a file are not those that were written; the message says of which."""


class Gone(Damaged, FileNotFoundError):
    """There is no such file any more."""


@contextmanager
def replace(path: Path, *, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """A stream of bytes, which are at `path` when the block ends well; else the file stays as it was.

    The folder is made where missing. In the end bytes and name are on the disk, not only in its cache.
    """
    with _written(path.parent, lambda: path.name, mode) as stream:
        yield stream


def write(path: Path, chunks: Iterable[bytes], *, mode: int = PRIVATE) -> str:
    """Write the bytes as `replace` does; returns their SHA-256."""
    digest = hashlib.sha256()
    with replace(path, mode=mode) as stream:
        for chunk in chunks:
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def write_by_digest(folder: Path, chunks: Iterable[bytes], *, suffix: str = "") -> str:
    """Write the bytes as `replace` does, in a file that is named by their SHA-256, which is returned."""
    digest = hashlib.sha256()
    with _written(folder, lambda: digest.hexdigest() + suffix, PRIVATE) as stream:
        for chunk in chunks:
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def write_sealed(path: Path, content: bytes) -> None:
    """Write the bytes after a line with their SHA-256, for `read_sealed`: where no row keeps the digest."""
    write(path, [_SEAL, hashlib.sha256(content).hexdigest().encode(), b"\n", content])


def read_sealed(path: Path) -> bytes:
    """What `write_sealed` wrote. Raises FileNotFoundError, and Damaged for any other file."""
    stored = path.read_bytes()
    content = stored[_SEAL_LENGTH:]
    if stored[:_SEAL_LENGTH] != _SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n":
        raise Damaged(f"{path.name} is damaged.")
    return content


def read_checked(path: Path, digest: str) -> bytes:
    """The bytes of this SHA-256. Raises FileNotFoundError, and Damaged where the file has others."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise Damaged(f"{path.name} is damaged.")
    return content


def is_whole(path: Path, digest: str) -> bool:
    """Whether the file is there and has the bytes of this SHA-256."""
    try:
        return digest_file(path) == digest
    except FileNotFoundError:
        return False


def digest_file(path: Path | str) -> str:
    """The SHA-256 of a file, read in pieces. Raises OSError."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_lines(lines: Iterable[str]) -> str:
    """The SHA-256 of a file that has these lines: UTF-8, each ended by LF."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def chunks_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where missing; each is on the disk in the one above it."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


@contextmanager
def _written(folder: Path, name: Callable[[], str], mode: int) -> Iterator[BinaryIO]:
    """A stream into a hidden file, which gets its name in the end."""
    make_folder(folder)
    part = folder / f".{secrets.token_hex(8)}.part"
    with open(part, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as stream:
        try:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            os.replace(part, folder / name())
        except BaseException:
            part.unlink()
            raise
    _sync(folder)


def _sync(folder: Path) -> None:
    """The names in the folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
