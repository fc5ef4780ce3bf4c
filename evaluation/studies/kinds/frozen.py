"""What a study rests on, written down before it runs: grades and texts as files named by their digest."""

import hashlib
import json
import os
import tempfile
from typing import Any

from annotate.work import kept_files
from evaluation.studies.kinds.registry import CannotStudy

FOLDER = "studies"


def keep(value: Any) -> str:
    """Write a value of JSON under its own digest, whole or not at all, and tell the digest."""
    content = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
    digest = hashlib.sha256(content).hexdigest()
    path = kept_files.folder(FOLDER) / f"{digest}.json"
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(stream.name, path)
    return digest


def read(digest: str) -> Any:
    """The value kept under a digest. Raises FileNotFoundError where it is gone, CannotStudy where it is another one."""
    content = kept_files.path(f"{FOLDER}/{digest}.json").read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise CannotStudy("An input that was frozen is damaged: its file is not what was written.")
    return json.loads(content)
