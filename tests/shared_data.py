"""Where the tests find real collections: `../shared` seen from the project's root."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def path(*parts: str) -> Path:
    """`path("data", "dl19", "qrels.txt")`. Absent: the test is skipped, saying so; in CI it fails."""
    found = SHARED.joinpath(*parts)
    if not found.exists():
        sentence = f"real data is not here: ../shared/{'/'.join(parts)}"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return found
