from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[bytes, str], Path]


@pytest.fixture
def write_file(tmp_path: Path) -> Write:
    """Writes bytes to a file of that name and returns its path."""

    def write(content: bytes, name: str) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write
