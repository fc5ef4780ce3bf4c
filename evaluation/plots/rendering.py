"""Rendering in a process of its own, one at a time in each process that asks."""

import json
import struct
import subprocess
import sys
import threading
import zlib
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


SIGNATURE_AND_HEADER = 33  # 8 bytes of signature, then the chunk IHDR, which comes first


def described(png: bytes, words: dict[str, str]) -> bytes:
    """The PNG with a text chunk for each keyword, right behind its header.

    tEXt, which every reader knows, where the words are Latin-1, else iTXt with UTF-8. Source: PNG (W3C, third
    edition), 11.3.3.
    """
    chunks = b"".join(_chunk(keyword, text) for keyword, text in words.items())
    return png[:SIGNATURE_AND_HEADER] + chunks + png[SIGNATURE_AND_HEADER:]


def _chunk(keyword: str, text: str) -> bytes:
    try:
        kind, body = b"tEXt", keyword.encode() + b"\0" + text.encode("latin-1")
    except UnicodeEncodeError:
        kind, body = b"iTXt", keyword.encode() + b"\0\0\0\0\0" + text.encode()
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
