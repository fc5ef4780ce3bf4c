"""Rendering in a process of its own, one at a time in each process that asks."""

import subprocess
import sys
import threading
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


def render(figure: Figure, format: Format) -> bytes:
    """The bytes of an SVG or PNG; takes one or two seconds. Raises NotDrawn."""
    with _one_at_a_time:
        try:
            drawn = subprocess.run(
                [sys.executable, "-m", "evaluation.plots", format],
                input=figure.to_json(),
                capture_output=True,
                cwd=ROOT,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise NotDrawn(f"the renderer did not answer within {SECONDS} seconds") from None
    if drawn.returncode:
        raise NotDrawn(drawn.stderr.decode(errors="replace").strip()[-2000:])
    return drawn.stdout
