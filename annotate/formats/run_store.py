"""A run as a compact file of arrays, of which the top ranks can be read alone.

The file: a line of magic; the length of the header (8 bytes, little-endian); the header in JSON; then the rows in
bands, ranks 1 to 10 of every topic first, then 11 to 100, then all others: so the top of the run is the head of the
file. A band is its scores as little-endian doubles, then its passage ids in UTF-8, each ended by LF; within it rows
are in the order of `runs.Run`. The header has checksums of itself and of each band; files of older versions have none.
"""

import json
import os
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from annotate.formats import runs, whole_files
from annotate.formats.faults import Fault, FileRefused
from annotate.formats.runs import Run

_MAGIC = b"lacuna run 2\n"
_SCORE = np.dtype("<f8")
_EDGES = (10, 100)

Counts = npt.NDArray[np.int64]


class _Header(NamedTuple):
    """`ranks` tells how many each topic has; bands end at the ranks `edges`, the last one at the end of the run.

    `id_bytes` has the size of the ids of each band, `crc32` the checksum of each band, then of the other fields.
    """

    tag: str
    query_ids: list[str]
    ranks: list[int]
    edges: list[int]
    id_bytes: list[int]
    crc32: list[int] = []

    def ranks_to(self, band: int) -> Counts:
        """How many ranks of each topic stand before that band; with the number of bands, all."""
        ranks = np.array(self.ranks, dtype=np.int64)
        return np.minimum(ranks, [0, *self.edges][band]) if band <= len(self.edges) else ranks

    def score_bytes(self, band: int) -> int:
        return int((self.ranks_to(band + 1) - self.ranks_to(band)).sum()) * _SCORE.itemsize

    def own_crc32(self) -> int:
        return zlib.crc32(json.dumps(self[:-1]).encode())


def save_run(run: Run, path: Path | str) -> None:
    """Stores a run, in place of one of that name. A crash leaves the file whole or as it was."""
    whole_files.write(Path(path), _written(run))


def load_top_ranks(path: Path | str, depth: int) -> Run:
    """The first `depth` ranks (at least 1) of each topic, reading little else; raises as `load`."""
    with open(path, "rb") as stream:
        header = _read_header(path, stream)
        return runs.cut_run(_read_bands(path, stream, header, 1 + bisect_left(header.edges, depth)), depth)


def load_query_ids(path: Path | str) -> list[str]:
    """The topics of the stored run, which is not read for it; raises as `load`."""
    with open(path, "rb") as stream:
        return _read_header(path, stream).query_ids


def _written(run: Run) -> Iterator[bytes]:
    ranks = np.diff(run.offsets)
    places = np.arange(len(run)) - np.repeat(run.offsets[:-1], ranks)
    bands = np.searchsorted(_EDGES, places, side="right")
    rows = [np.flatnonzero(bands == band) for band in range(len(_EDGES) + 1)]
    scores = [run.scores[band].astype(_SCORE).tobytes() for band in rows]
    blobs = ["".join(f"{passage_id}\n" for passage_id in run.passage_ids[band]).encode() for band in rows]
    fields = _Header(run.tag, list(run.query_ids), ranks.tolist(), list(_EDGES), [len(blob) for blob in blobs])
    of_bands = [_band_crc32(*parts) for parts in zip(scores, blobs, strict=True)]
    header = json.dumps(fields._replace(crc32=[*of_bands, fields.own_crc32()])._asdict()).encode()
    yield _MAGIC + len(header).to_bytes(8, "little") + header
    for parts in zip(scores, blobs, strict=True):
        yield from parts


def _read_header(path: Path | str, stream: IO[bytes]) -> _Header:
    if stream.read(len(_MAGIC)) != _MAGIC:
        raise FileRefused([Fault(str(path), None, "not a stored run")])
    size = os.fstat(stream.fileno()).st_size
    try:
        header = _Header(**json.loads(stream.read(min(size, int.from_bytes(stream.read(8), "little")))))
        is_whole = size == stream.tell() + sum(header.ranks) * _SCORE.itemsize + sum(header.id_bytes)
        is_whole = is_whole and (not header.crc32 or header.crc32[-1] == header.own_crc32())
    except (ValueError, TypeError):
        is_whole = False
    if not is_whole:
        raise _damaged(path)
    return header


def _read_bands(path: Path | str, stream: IO[bytes], header: _Header, n_bands: int) -> Run:
    """The run down to the end of the first bands."""
    scores = blobs = b""
    topics = []
    for band in range(n_bands):
        of_band = stream.read(header.score_bytes(band)), stream.read(header.id_bytes[band])
        if header.crc32 and header.crc32[band] != _band_crc32(*of_band):
            raise _damaged(path)
        scores, blobs = scores + of_band[0], blobs + of_band[1]
        topics.append(np.repeat(np.arange(len(header.ranks)), header.ranks_to(band + 1) - header.ranks_to(band)))
    order = np.argsort(np.concatenate(topics), kind="stable")
    offsets = np.concatenate(([0], np.cumsum(header.ranks_to(n_bands))))
    passage_ids = np.array(blobs.decode().split("\n")[:-1], dtype=object)
    return Run(header.tag, tuple(header.query_ids), offsets, passage_ids[order], np.frombuffer(scores, _SCORE)[order])


def _band_crc32(scores: bytes, ids: bytes) -> int:
    return zlib.crc32(ids, zlib.crc32(scores))


def _damaged(path: Path | str) -> FileRefused:
    return FileRefused([Fault(str(path), None, "the stored run is damaged or cut off")])
