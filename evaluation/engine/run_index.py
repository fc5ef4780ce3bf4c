"""The index of runs: the passages at their top ranks by number, in one file from which scoring reads them all.

The file: a line of magic; a line of JSON, the header; the passage ids in UTF-8, each ended by LF; the numbers at the
ranks as little-endian 32-bit integers. It is a copy of what the stored runs hold and can be deleted at any time.
"""

import itertools
import json
import zlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from annotate.formats import whole_files
from annotate.formats.runs import Run

_MAGIC = b"lacuna run index 2\n"
_NUMBER = np.dtype("<i4")
# Beside its letters: the text object, its place in the list, its entry in a mapping with the number there.
_BYTES_AN_ID = 49 + 8 + 104 + 32

Numbers = NDArray[np.int32]
Passages = Mapping[str, Container[str]]  # by query id


@dataclass(frozen=True, eq=False)
class RunIndex:
    """The first ranks of s runs on the t topics that any of them has, in the order of the ids.

    The passages of topic i are `passage_ids[starts[i]:starts[i + 1]]` (`starts` has t + 1), each once. `at_ranks`
    (s, t, depth) has the place of a passage in that list at each rank, and n, its length, where a ranking has ended.
    """

    run_tags: tuple[str, ...]
    topics: tuple[str, ...]
    starts: tuple[int, ...]
    passage_ids: Sequence[str]
    at_ranks: Numbers

    @cached_property
    def places(self) -> dict[str, dict[str, int]]:
        """Where each passage of each topic stands among all `passage_ids`."""
        return {
            query_id: dict(zip(self.passage_ids[start:end], range(start, end), strict=True))
            for query_id, (start, end) in zip(self.topics, itertools.pairwise(self.starts), strict=True)
        }

    @cached_property
    def size(self) -> int:
        """About how many bytes of memory it takes, with `places`."""
        ids = sum(map(len, self.passage_ids)) + _BYTES_AN_ID * len(self.passage_ids)
        return ids + self.at_ranks.nbytes

    def ranked_topics(self) -> list[set[str]]:
        """The topics that each run has."""
        is_ranked = np.asarray((self.at_ranks[..., :1] < len(self.passage_ids)).any(axis=-1))
        return [set(itertools.compress(self.topics, of_run)) for of_run in is_ranked]


def build(runs: Iterable[Run], depth: int | None = None, *, beyond: Passages | None = None) -> RunIndex:
    """The index of the first `depth` ranks (at least 1) of runs, read one after the other; None for all ranks.

    Below them stand the passages of the topic that `beyond` has, and no other, if it is given: enough for measures that
    pass over what is not judged, in a fraction of the space.
    """
    tags: list[str] = []
    known: dict[str, dict[str, int]] = {}
    rankings: list[tuple[int, str, Numbers]] = []
    for place, run in enumerate(runs):
        tags.append(run.tag)
        for query_id in run.query_ids:
            ranking = run.ranking(query_id, depth)
            if beyond is not None:
                ranking += _found_in(beyond.get(query_id, ()), run.ranking(query_id)[len(ranking) :])
            rankings.append((place, query_id, _numbered(ranking, known.setdefault(query_id, {}))))
    topics = tuple(sorted(known))
    starts = (0, *itertools.accumulate(len(known[query_id]) for query_id in topics))
    at_ranks = np.full(
        (len(tags), len(topics), max((len(row) for *_, row in rankings), default=0)), starts[-1], np.int32
    )
    columns = {query_id: column for column, query_id in enumerate(topics)}
    for place, query_id, row in rankings:
        at_ranks[place, columns[query_id], : len(row)] = row + starts[columns[query_id]]
    passage_ids = list(itertools.chain.from_iterable(known[query_id] for query_id in topics))
    return RunIndex(tuple(tags), topics, starts, passage_ids, at_ranks)


def save(index: RunIndex, path: Path | str, key: str) -> None:
    """Stores an index under the key of what it was built from, in place of another one.

    Of two who store at once one comes last; a reader sees a whole file of the one or the other.
    """
    blob, numbers = (
        "".join(f"{name}\n" for name in index.passage_ids).encode(),
        index.at_ranks.astype(_NUMBER).tobytes(),
    )
    header = {
        "key": key,
        "run_tags": index.run_tags,
        "topics": index.topics,
        "starts": index.starts,
        "depth": index.at_ranks.shape[-1],
        "id_bytes": len(blob),
    }
    header["crc32"] = zlib.crc32(numbers, zlib.crc32(blob, _crc(header)))
    whole_files.write(Path(path), [_MAGIC, json.dumps(header).encode(), b"\n", blob, numbers])


def load(path: Path | str, key: str) -> RunIndex | None:
    """The index stored under this key; None where none can be read, or one of another key, or a damaged one."""
    try:
        with open(path, "rb") as stream:
            header, content = _header(stream, key), stream.read()
    except (OSError, ValueError):
        return None
    if header is None or header.pop("crc32", None) != zlib.crc32(content, _crc(header)):
        return None
    tags, topics = tuple(header["run_tags"]), tuple(header["topics"])
    numbers = np.frombuffer(content, _NUMBER, offset=header["id_bytes"])
    return RunIndex(
        run_tags=tags,
        topics=topics,
        starts=tuple(header["starts"]),
        passage_ids=content[: header["id_bytes"]].decode().split("\n")[:-1],
        at_ranks=numbers.reshape(len(tags), len(topics), header["depth"]),
    )


def _header(stream: BinaryIO, key: str) -> dict[str, Any] | None:
    """The header of an index of this key; None for any other file. Raises ValueError where it is no JSON."""
    if stream.readline(len(_MAGIC)) != _MAGIC:
        return None
    header = json.loads(stream.readline())
    return header if isinstance(header, dict) and header.get("key") == key else None


def _crc(header: Mapping[str, object]) -> int:
    """Of all that the header says but the checksum itself."""
    return zlib.crc32(json.dumps(header).encode())


def _found_in(passages: Container[str], ranking: Sequence[str]) -> list[str]:
    return [passage_id for passage_id in ranking if passage_id in passages]


def _numbered(ranking: Sequence[str], known: dict[str, int]) -> Numbers:
    """The numbers of passages within their topic; new ones get the next."""
    return np.array([known.setdefault(passage_id, len(known)) for passage_id in ranking], dtype=np.int32)
