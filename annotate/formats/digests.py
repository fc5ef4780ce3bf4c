"""Digests, by which a file or a list of lines is known again."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_file(path: Path | str) -> str:
    """SHA-256 of the file's bytes as 64 hexadecimal digits, read in constant memory; raises OSError."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_lines(lines: Iterable[str]) -> str:
    """SHA-256 of a file that has these lines: UTF-8, each ended by LF."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()
