"""The rows of a run as its file gives them: by a fast scan over its bytes, or line by line with every fault named.

The scan takes a file about which nothing is odd. What is odd (a fault, but also a blank line or an aligned column) is
left to the reading of lines, which knows all that a run may be and names what it may not. `runs.order_rows` orders.
"""

import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotate.formats import byte_columns, lines, records, runs
from annotate.formats.byte_columns import ByteColumns, Words
from annotate.formats.faults import Faults, Refused


class RunRows(NamedTuple):
    """Columns of one length: `topics` are places in `query_ids`."""

    tag: str
    query_ids: list[str]
    topics: npt.NDArray[np.intp]
    passage_ids: Sequence[str]
    scores: npt.NDArray[np.float64]


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


def scan_run(path: Path | str, faults: Faults, depth: int | None = None) -> RunRows | None:
    """The rows of a run, of which those certainly below the first `depth` ranks may be left out.

    All lines are checked all the same. None where anything is odd. Raises FileRefused where reading cannot go on.
    """
    tags: set[str] = set()
    query_ids: dict[str, int] = {}
    parts = []
    for piece in lines.read_pieces(path, faults):
        columns = byte_columns.cut_columns(piece, _N_COLUMNS)
        part = None if columns is None else _read_part(columns, tags, query_ids, depth)
        if part is None:
            return None
        parts.append(part)
    if not parts or len(tags) > 1 or _has_equal_keys(np.concatenate([part.keys for part in parts])):
        return None
    return RunRows(
        tag=tags.pop(),
        query_ids=list(query_ids),
        topics=np.concatenate([part.topics for part in parts]),
        passage_ids=list(chain.from_iterable(part.passage_ids for part in parts)),
        scores=np.concatenate([part.scores for part in parts]),
    )


def _read_part(columns: ByteColumns, tags: set[str], query_ids: dict[str, int], depth: int | None) -> _Part | None:
    scores = columns.numbers(_SCORE)
    if scores is None or not columns.is_constant(_TAG):
        return None
    tags.update(columns.texts(_TAG, _FIRST))
    topics = _number_topics(columns, query_ids)
    keys = _pair_keys(topics, columns.words(_PASSAGE_ID))
    rows = np.arange(len(scores)) if depth is None else runs.list_contenders(topics, scores, depth)
    return _Part(keys, topics[rows], columns.texts(_PASSAGE_ID, rows), scores[rows])


def _number_topics(columns: ByteColumns, query_ids: dict[str, int]) -> npt.NDArray[np.intp]:
    """The number of each line's topic; a new one gets the next. Ids are looked up only where they change."""
    words = columns.words(_QUERY_ID)
    is_new = (words[:, 1:] != words[:, :-1]).any(axis=0)
    firsts = np.concatenate((_FIRST, np.flatnonzero(is_new) + 1))
    numbers = [query_ids.setdefault(query_id, len(query_ids)) for query_id in columns.texts(_QUERY_ID, firsts)]
    return np.repeat(np.array(numbers), np.diff(firsts, append=len(columns)))


def _pair_keys(topics: npt.NDArray[np.intp], words: Words) -> Words:
    """One number for each pair of topic and passage: equal for equal pairs, and hardly ever for others."""
    keys = (topics + 1).astype(np.uint64) * _MIXER
    for row in words:
        keys = (keys ^ row) * _MIXER
        keys ^= keys >> np.uint64(32)
    return keys


def _has_equal_keys(keys: Words) -> bool:
    keys = np.sort(keys)
    return bool((keys[1:] == keys[:-1]).any())


_COLUMNS = ("query_id", "Q0", "passage_id", "rank", "score", "run_tag")


def read_run_table(path: Path | str, faults: Faults) -> RunRows:
    """The rows of a run in the order of the file. Raises FileRefused for the faults that `runs.read_run` names."""
    table = _RunTable(faults)
    for line in lines.read_lines(path, faults):
        table.add(line)
    if not table.tags:
        faults.raise_if_any()
        raise faults.refuse(None, "the run has no lines")
    table.note_other_tags()
    table.note_repeats()
    faults.raise_if_any()
    return table.rows()


class _RunTable:
    """The columns of the good lines, their numbers, and the line on which each run tag was first seen."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.tags: dict[str, int] = {}
        self.query_ids: dict[str, int] = {}
        self.topics: list[int] = []
        self.passage_ids: list[str] = []
        self.scores: list[float] = []
        self.numbers: list[int] = []

    def add(self, line: lines.Line) -> None:
        """Adds a line, or notes what is wrong with it."""
        try:
            query_id, _, passage_id, _, score, tag = lines.split_columns(line.text, _COLUMNS)
            number = _parse_score(score)
            for identifier in (query_id, passage_id, tag):
                records.check_id(identifier)
        except Refused as refused:
            self.faults.add(line.number, str(refused))
            return
        self.tags.setdefault(tag, line.number)
        self.topics.append(self.query_ids.setdefault(query_id, len(self.query_ids)))
        self.passage_ids.append(passage_id)
        self.scores.append(number)
        self.numbers.append(line.number)

    def note_other_tags(self) -> None:
        """Notes the first line of each run tag beyond the first."""
        (tag, first), *others = self.tags.items()
        for other, number in others:
            self.faults.add(number, f"run tag {other!r} differs from {tag!r} on line {first}: one run a file")

    def note_repeats(self) -> None:
        """Notes each passage that stands twice in a topic, with both lines."""
        first_lines: dict[tuple[int, str], int] = {}
        names = list(self.query_ids)
        for topic, passage_id, number in zip(self.topics, self.passage_ids, self.numbers, strict=True):
            first = first_lines.setdefault((topic, passage_id), number)
            if first != number:
                self.faults.add(number, f"passage {passage_id!r} of topic {names[topic]!r} is on line {first} already")

    def rows(self) -> RunRows:
        """What was read."""
        topics, scores = np.array(self.topics, dtype=np.intp), np.array(self.scores, dtype=np.float64)
        return RunRows(next(iter(self.tags)), list(self.query_ids), topics, self.passage_ids, scores)


def _parse_score(score: str) -> float:
    if "_" in score or not score.isascii():
        raise Refused(f"score {score!r} is not a number")
    try:
        number = float(score)
    except ValueError:
        raise Refused(f"score {score!r} is not a number") from None
    if not math.isfinite(number):
        raise Refused(f"score {score!r} is not a finite number")
    return number
