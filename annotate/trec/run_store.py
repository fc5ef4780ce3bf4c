"""A run as a compact file of arrays, of which the top ranks can be read alone.

The file: a line of magic; the length of the header (8 bytes, little-endian); the header in JSON (tag, query
ids, and for each topic its number of ranks and of bytes of ids); the scores as little-endian doubles; the
passage ids in UTF-8, each ended by LF. Rows are in the order of `runs.Run`, so the head of each topic's part
is its top ranks.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from annotate.trec import ids
from annotate.trec.faults import Fault, FileRefused
from annotate.trec.runs import Run

_MAGIC = b"lacuna run 1\n"
_SCORE = np.dtype("<f8")


class _Header(NamedTuple):
    tag: str
    query_ids: list[str]
    ranks: list[int]
    id_bytes: list[int]


def save(run: Run, path: Path | str) -> None:
    """Stores a run, in place of one of that name. A crash leaves the file whole or as it was."""
    path = Path(path)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        try:
            _write(run, stream)
            stream.flush()
            os.fsync(stream.fileno())
            os.replace(stream.name, path)
        except BaseException:
            os.unlink(stream.name)
            raise
    _sync_folder(path.parent)


def load(path: Path | str) -> Run:
    """The stored run; raises FileRefused when it is none or not whole, OSError when it cannot be opened."""
    with open(path, "rb") as stream:
        header = _read_header(path, stream)
        scores = stream.read(sum(header.ranks) * _SCORE.itemsize)
        return _run(header, header.ranks, scores, stream.read())


def load_top(path: Path | str, depth: int) -> Run:
    """The first `depth` ranks (at least 1) of each topic, reading little else; raises as `load`."""
    with open(path, "rb") as stream:
        header = _read_header(path, stream)
        ranks = [min(length, depth) for length in header.ranks]
        start = stream.tell()
        sizes = [length * _SCORE.itemsize for length in header.ranks]
        scores = list(_heads(stream, start, sizes, [length * _SCORE.itemsize for length in ranks]))
        enough = [length * (ids.MAX_BYTES + 1) for length in ranks]
        blobs = list(_heads(stream, start + sum(sizes), header.id_bytes, enough))
    tops = [b"".join(blob.splitlines(True)[:length]) for blob, length in zip(blobs, ranks, strict=True)]
    return _run(header, ranks, b"".join(scores), b"".join(tops))


def _heads(stream: IO[bytes], start: int, sizes: list[int], wanted: list[int]) -> Iterator[bytes]:
    """The first bytes, as many as wanted, of each part; the parts follow one another from `start`."""
    for part, size, bytes_wanted in zip(accumulate(sizes, initial=start), sizes, wanted, strict=False):
        stream.seek(part)
        yield stream.read(min(size, bytes_wanted))


def _write(run: Run, stream: IO[bytes]) -> None:
    rankings = map(run.ranking, run.query_ids)
    blobs = ["".join(f"{passage_id}\n" for passage_id in ranking).encode() for ranking in rankings]
    ranks = np.diff(run.offsets).tolist()
    fields = _Header(run.tag, list(run.query_ids), ranks, [len(blob) for blob in blobs])
    header = json.dumps(fields._asdict()).encode()
    stream.write(_MAGIC + len(header).to_bytes(8, "little") + header)
    stream.write(run.scores.astype(_SCORE).tobytes())
    stream.writelines(blobs)


def _read_header(path: Path | str, stream: IO[bytes]) -> _Header:
    if stream.read(len(_MAGIC)) != _MAGIC:
        raise FileRefused([Fault(str(path), None, "not a stored run")])
    size = os.fstat(stream.fileno()).st_size
    try:
        header = _Header(**json.loads(stream.read(min(size, int.from_bytes(stream.read(8), "little")))))
        is_whole = size == stream.tell() + sum(header.ranks) * _SCORE.itemsize + sum(header.id_bytes)
    except (ValueError, TypeError):
        is_whole = False
    if not is_whole:
        raise FileRefused([Fault(str(path), None, "the stored run is damaged or cut off")])
    return header


def _run(header: _Header, ranks: list[int], scores: bytes, passage_ids: bytes) -> Run:
    offsets = np.cumsum([0, *ranks])
    names = np.array(passage_ids.decode().split("\n")[:-1], dtype=object)
    return Run(header.tag, tuple(header.query_ids), offsets, names, np.frombuffer(scores, _SCORE))


def _sync_folder(folder: Path) -> None:
    """Makes the new name in the folder itself durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
