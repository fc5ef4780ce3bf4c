"""A run as a compact file of arrays, of which the top ranks can be read alone.

The file: a line of magic; the length of the header (8 bytes, little-endian); the header in JSON; then the rows in
bands, ranks 1 to 10 of every topic first, then 11 to 100, then all others: so the top of the run is the head of the
file. A band is its scores as little-endian doubles, then its passage ids in UTF-8, each ended by LF; within it rows
are in the order of `runs.Run`.
"""

import json
import os
import tempfile
from bisect import bisect_left
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from annotate.formats import runs
from annotate.formats.faults import Fault, FileRefused
from annotate.formats.runs import Run

_MAGIC = b"lacuna run 2\n"
_SCORE = np.dtype("<f8")
_EDGES = (10, 100)

Counts = npt.NDArray[np.int64]


class _Header(NamedTuple):
    """`ranks` tells how many each topic has; bands end at the ranks `edges`, the last one at the end of the run.

    `id_bytes` has the size of the ids of each band.
    """

    tag: str
    query_ids: list[str]
    ranks: list[int]
    edges: list[int]
    id_bytes: list[int]

    def ranks_to(self, band: int) -> Counts:
        """How many ranks of each topic stand before that band; with the number of bands, all."""
        ranks = np.array(self.ranks, dtype=np.int64)
        return np.minimum(ranks, [0, *self.edges][band]) if band <= len(self.edges) else ranks

    def score_bytes(self, band: int) -> int:
        return int((self.ranks_to(band + 1) - self.ranks_to(band)).sum()) * _SCORE.itemsize


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
        return _read_bands(stream, header, len(header.id_bytes))


def load_top(path: Path | str, depth: int) -> Run:
    """The first `depth` ranks (at least 1) of each topic, reading little else; raises as `load`."""
    with open(path, "rb") as stream:
        header = _read_header(path, stream)
        return runs.top(_read_bands(stream, header, 1 + bisect_left(header.edges, depth)), depth)


def query_ids(path: Path | str) -> list[str]:
    """The topics of the stored run, which is not read for it; raises as `load`."""
    with open(path, "rb") as stream:
        return _read_header(path, stream).query_ids


def _write(run: Run, stream: IO[bytes]) -> None:
    ranks = np.diff(run.offsets)
    places = np.arange(len(run)) - np.repeat(run.offsets[:-1], ranks)
    bands = np.searchsorted(_EDGES, places, side="right")
    rows = [np.flatnonzero(bands == band) for band in range(len(_EDGES) + 1)]
    blobs = ["".join(f"{passage_id}\n" for passage_id in run.passage_ids[band]).encode() for band in rows]
    fields = _Header(run.tag, list(run.query_ids), ranks.tolist(), list(_EDGES), [len(blob) for blob in blobs])
    header = json.dumps(fields._asdict()).encode()
    stream.write(_MAGIC + len(header).to_bytes(8, "little") + header)
    for band, blob in zip(rows, blobs, strict=True):
        stream.write(run.scores[band].astype(_SCORE).tobytes() + blob)


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


def _read_bands(stream: IO[bytes], header: _Header, n_bands: int) -> Run:
    """The run down to the end of the first bands."""
    scores = blobs = b""
    topics = []
    for band in range(n_bands):
        scores += stream.read(header.score_bytes(band))
        blobs += stream.read(header.id_bytes[band])
        topics.append(np.repeat(np.arange(len(header.ranks)), header.ranks_to(band + 1) - header.ranks_to(band)))
    order = np.argsort(np.concatenate(topics), kind="stable")
    offsets = np.concatenate(([0], np.cumsum(header.ranks_to(n_bands))))
    passage_ids = np.array(blobs.decode().split("\n")[:-1], dtype=object)
    return Run(header.tag, tuple(header.query_ids), offsets, passage_ids[order], np.frombuffer(scores, _SCORE)[order])


def _sync_folder(folder: Path) -> None:
    """Makes the new name in the folder itself durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
