"""Digests, by which a file is known again."""

import hashlib
from pathlib import Path


def of_file(path: Path | str) -> str:
    """SHA-256 of the file's bytes as 64 hexadecimal digits, read in constant memory; raises OSError."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
