"""Rendering in a process of its own, one at a time in each process that asks."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from evaluation.plots.figure import Figure

Format = Literal["svg", "png"]
SECONDS = 60
ROOT = Path(__file__).resolve().parents[2]
# A renderer holds some 200 MB: the requests of one web process wait for one another.
_one_at_a_time = threading.Lock()


class NotDrawn(Exception):
    """The renderer failed; what it said is in the message."""


def render_all(asked: Sequence[tuple[Figure, Format]]) -> list[bytes]:
    """The bytes of each SVG or PNG, drawn by one process, whose start takes the most time. Raises NotDrawn."""
    figures = json.dumps([(format, figure.__dict__) for figure, format in asked], ensure_ascii=False)
    with _one_at_a_time:
        try:
            drawn = subprocess.run(
                [sys.executable, "-m", "evaluation.plots"],
                input=figures.encode(),
                capture_output=True,
                cwd=ROOT,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise NotDrawn(f"the renderer did not answer within {SECONDS} seconds") from None
    if drawn.returncode:
        raise NotDrawn(drawn.stderr.decode(errors="replace").strip()[-2000:])
    return list(_parts(drawn.stdout))


def _parts(drawn: bytes) -> Iterator[bytes]:
    """Each is behind its length, in eight bytes."""
    start = 0
    while start < len(drawn):
        end = start + 8 + int.from_bytes(drawn[start : start + 8])
        yield drawn[start + 8 : end]
        start = end
