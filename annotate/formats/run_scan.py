"""A run read by a scan over its bytes: fast, and only for a file about which nothing is odd.

What is odd (a fault, but also a blank line or an aligned column) is left to `run_table`, which knows all that a run
may be and names what it may not.
"""

from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotate.formats import byte_columns, lines, tie_break
from annotate.formats.byte_columns import ByteColumns, Words
from annotate.formats.faults import Faults
from annotate.formats.run_rows import RunRows

_N_COLUMNS = 6
_QUERY_ID, _PASSAGE_ID, _SCORE, _TAG = 0, 2, 4, 5
_FIRST = np.array([0])
_MIXER = np.uint64(0x9E3779B97F4A7C15)


class _Part(NamedTuple):
    """What is kept of a block: the key of every row, and the rows that may be in the top."""

    keys: Words
    topics: npt.NDArray[np.intp]
    passage_ids: list[str]
    scores: npt.NDArray[np.float64]


def read(path: Path | str, faults: Faults, depth: int | None = None) -> RunRows | None:
    """The rows of a run, of which those certainly below the first `depth` ranks may be left out.

    All lines are checked all the same. None where anything is odd. Raises FileRefused where reading cannot go on.
    """
    tags: set[str] = set()
    query_ids: dict[str, int] = {}
    parts = []
    for piece in lines.pieces(path, faults):
        columns = byte_columns.cut(piece, _N_COLUMNS)
        part = None if columns is None else _part(columns, tags, query_ids, depth)
        if part is None:
            return None
        parts.append(part)
    if not parts or len(tags) > 1 or _has_equal(np.concatenate([part.keys for part in parts])):
        return None
    return RunRows(
        tag=tags.pop(),
        query_ids=list(query_ids),
        topics=np.concatenate([part.topics for part in parts]),
        passage_ids=list(chain.from_iterable(part.passage_ids for part in parts)),
        scores=np.concatenate([part.scores for part in parts]),
    )


def _part(columns: ByteColumns, tags: set[str], query_ids: dict[str, int], depth: int | None) -> _Part | None:
    scores = columns.numbers(_SCORE)
    if scores is None or not columns.is_constant(_TAG):
        return None
    tags.update(columns.texts(_TAG, _FIRST))
    topics = _topics(columns, query_ids)
    keys = _keys(topics, columns.words(_PASSAGE_ID))
    rows = np.arange(len(scores)) if depth is None else tie_break.contenders(topics, scores, depth)
    return _Part(keys, topics[rows], columns.texts(_PASSAGE_ID, rows), scores[rows])


def _topics(columns: ByteColumns, query_ids: dict[str, int]) -> npt.NDArray[np.intp]:
    """The number of each line's topic; a new one gets the next. Ids are looked up only where they change."""
    words = columns.words(_QUERY_ID)
    is_new = (words[:, 1:] != words[:, :-1]).any(axis=0)
    firsts = np.concatenate((_FIRST, np.flatnonzero(is_new) + 1))
    numbers = [query_ids.setdefault(query_id, len(query_ids)) for query_id in columns.texts(_QUERY_ID, firsts)]
    return np.repeat(np.array(numbers), np.diff(firsts, append=len(columns)))


def _keys(topics: npt.NDArray[np.intp], words: Words) -> Words:
    """One number for each pair of topic and passage: equal for equal pairs, and hardly ever for others."""
    keys = (topics + 1).astype(np.uint64) * _MIXER
    for row in words:
        keys = (keys ^ row) * _MIXER
        keys ^= keys >> np.uint64(32)
    return keys


def _has_equal(keys: Words) -> bool:
    keys = np.sort(keys)
    return bool((keys[1:] == keys[:-1]).any())
