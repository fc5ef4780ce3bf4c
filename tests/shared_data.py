"""Where the tests find real collections: `../shared/data` seen from the project's root. None of it is ours to copy."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def path(*parts: str) -> Path:
    """`path("dl19", "qrels.txt")`. The test is skipped, with the file's name, where that is absent."""
    file = DATA.joinpath(*parts)
    if not file.exists():
        pytest.skip(f"real data is not here: ../shared/data/{'/'.join(parts)}")
    return file
