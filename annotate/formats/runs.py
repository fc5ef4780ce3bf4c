"""Runs: what a system retrieved, as columns in THE order; and which runs belong together."""

import math
import os
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from annotate.formats import lines, records, run_rows
from annotate.formats.faults import Faults, Refused
from annotate.formats.run_rows import RunRows

Order = npt.NDArray[np.intp]


def order_rows(topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], passage_ids: npt.NDArray[Any]) -> Order:
    """Where each row of a run comes from, given its columns (all of one length) in any order.

    By topic number, then score descending (as doubles), then passage id descending by its bytes in UTF-8.
    `passage_ids` is an array of `str` objects. The rank that a file tells plays no part.
    """
    by_score: Order = np.lexsort((-scores, topics))
    _order_ties(by_score, topics, scores, passage_ids)
    return by_score


def list_contenders(topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], depth: int) -> Order:
    """The rows (in the order of the file) that ties could lift to the first `depth` ranks of their topics.

    Those are the rows whose score is at least that of the topic's rank `depth`; all of a topic with fewer ranks.
    """
    is_sorted = (np.diff(topics) > 0) | ((np.diff(topics) == 0) & (np.diff(scores) <= 0))
    by_score = scores if is_sorted.all() else scores[np.lexsort((-scores, topics))]
    ranks = np.bincount(topics)
    last_in = np.cumsum(ranks) - ranks + np.minimum(ranks, depth) - 1
    return np.flatnonzero(scores >= by_score[last_in][topics])


def _order_ties(
    rows: Order, topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], ids: npt.NDArray[Any]
) -> None:
    """Sorts each stretch of one topic and score by id; code points are ordered as their UTF-8 bytes are."""
    topics, scores = topics[rows], scores[rows]
    is_new = (topics[1:] != topics[:-1]) | (scores[1:] != scores[:-1])
    starts = np.flatnonzero(np.concatenate(([True], is_new, [True])))
    for stretch in np.flatnonzero(np.diff(starts) > 1):
        start, end = starts[stretch], starts[stretch + 1]
        rows[start:end] = sorted(rows[start:end], key=ids.__getitem__, reverse=True)


@dataclass(frozen=True, eq=False)
class Run:
    """The rankings of one system, n rows over t topics.

    `query_ids` (t) are sorted by their bytes; the rows of topic i are `offsets[i]:offsets[i + 1]` (t + 1,
    int64) of `passage_ids` (n, `str` objects) and `scores` (n, doubles), from the top rank down, as
    `order_rows` says.
    """

    tag: str
    query_ids: tuple[str, ...]
    offsets: npt.NDArray[np.int64]
    passage_ids: npt.NDArray[Any]
    scores: npt.NDArray[np.float64]

    def rows(self, query_id: str, depth: int | None = None) -> slice:
        """The rows of a topic's first `depth` ranks (all when None); none for a topic that the run lacks."""
        topic = bisect_left(self.query_ids, query_id)
        if topic == len(self.query_ids) or self.query_ids[topic] != query_id:
            return slice(0, 0)
        start, end = int(self.offsets[topic]), int(self.offsets[topic + 1])
        return slice(start, end if depth is None else min(end, start + depth))

    def ranking(self, query_id: str, depth: int | None = None) -> list[str]:
        """The passage ids of a topic's first `depth` ranks (all when None); empty for a topic it lacks."""
        ranking: list[str] = self.passage_ids[self.rows(query_id, depth)].tolist()
        return ranking

    def __len__(self) -> int:
        return len(self.scores)


def read_run(path: Path | str, *, depth: int | None = None, name: str | None = None) -> Run:
    """The run in a file of six columns, plain or gzip; its rank column is ignored.

    `depth` (at least 1) cuts it there as `cut_run` does, in less time; every line is checked all the same. Raises
    FileRefused for a line without six columns, an id that `records.check_id` refuses, a score that is not a finite
    number, a passage twice in a topic, a second run tag, and a file without a line. `name` is what the faults call
    the file.
    """
    name = name or str(path)
    # What is no regular file, such as a pipe, can be read only once.
    scanned = run_rows.scan_run(path, Faults(name), depth) if os.path.isfile(path) else None
    run = _arranged(scanned or run_rows.read_run_table(path, Faults(name)))
    return run if depth is None else cut_run(run, depth)


def read_runs(paths: Iterable[Path | str], *, depth: int | None = None) -> Iterator[Run]:
    """Yields the runs of several files in their order, read by as many threads as there are cores.

    Raises as `read`, for the first file that is refused.
    """
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        yield from threads.map(partial(read_run, depth=depth), paths)


def build_run(tag: str, scores: Mapping[str, Mapping[str, float]]) -> Run:
    """A run from scores by query id and passage id; a topic without any is left out.

    Raises Refused for a bad id, a score that is not finite, or when there is no score at all.
    """
    scores = {query_id: ranking for query_id, ranking in scores.items() if ranking}
    rows = [(topic, *row) for topic, ranking in enumerate(scores.values()) for row in ranking.items()]
    if not rows:
        raise Refused("the run has no lines")
    if not all(math.isfinite(score) for *_, score in rows):
        raise Refused("a score is not a finite number")
    for identifier in {tag, *scores, *(passage_id for _, passage_id, _ in rows)}:
        records.check_id(identifier)
    topics, passage_ids, values = zip(*rows, strict=True)
    return _arranged(RunRows(tag, list(scores), np.array(topics), passage_ids, np.array(values, dtype=np.float64)))


def cut_run(run: Run, depth: int) -> Run:
    """The run cut to the first `depth` ranks (at least 1) of each topic."""
    lengths = np.minimum(np.diff(run.offsets), depth)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    rows = np.arange(offsets[-1]) + np.repeat(run.offsets[:-1] - offsets[:-1], lengths)
    return Run(run.tag, run.query_ids, offsets, run.passage_ids[rows], run.scores[rows])


def select_topics(run: Run, query_ids: Collection[str]) -> Run:
    """The rankings of these topics alone."""
    kept = [topic for topic, query_id in enumerate(run.query_ids) if query_id in query_ids]
    if len(kept) == len(run.query_ids):
        return run
    starts, lengths = run.offsets[kept], np.diff(run.offsets)[kept]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    rows = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    names = tuple(run.query_ids[topic] for topic in kept)
    return Run(run.tag, names, offsets, run.passage_ids[rows], run.scores[rows])


def with_topics(run: Run, query_ids: Iterable[str]) -> Run:
    """The run with an empty ranking for each of these topics that it lacks: asked, and nothing found."""
    lengths = dict(zip(run.query_ids, np.diff(run.offsets).tolist(), strict=True))
    names = tuple(sorted(lengths.keys() | set(query_ids)))
    offsets = np.cumsum([0, *(lengths.get(name, 0) for name in names)], dtype=np.int64)
    return Run(run.tag, names, offsets, run.passage_ids, run.scores)


def write_run(run: Run, stream: IO[bytes]) -> None:
    """Writes a run in six columns: UTF-8, LF, ranks from 1, scores that read back as the same doubles."""
    for query_id in run.query_ids:
        rows = run.rows(query_id)
        ranking = zip(run.passage_ids[rows].tolist(), run.scores[rows].tolist(), strict=True)
        for rank, (passage_id, score) in enumerate(ranking, 1):
            stream.write(f"{query_id} Q0 {passage_id} {rank} {score!r} {run.tag}\n".encode())


def _arranged(rows: RunRows) -> Run:
    """A run from rows in any order."""
    names = sorted(rows.query_ids)
    places = {query_id: place for place, query_id in enumerate(names)}
    topics = np.array([places[query_id] for query_id in rows.query_ids], dtype=np.intp)[rows.topics]
    passage_ids = np.array(rows.passage_ids, dtype=object)
    order = order_rows(topics, rows.scores, passage_ids)
    offsets = np.searchsorted(topics[order], np.arange(len(names) + 1))
    return Run(rows.tag, tuple(names), offsets, passage_ids[order], rows.scores[order])


_GROUP_COLUMNS = ("run_tag", "group")


def read_groups(path: Path | str) -> dict[str, str]:
    """The group of each run tag: `run_tag group` on each line, plain or gzip.

    Raises FileRefused, also for a tag that comes again.
    """
    faults = Faults(str(path))
    groups: dict[str, str] = {}
    for line in lines.read_lines(path, faults):
        try:
            tag, group = lines.split_columns(line.text, _GROUP_COLUMNS)
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        if tag in groups:
            faults.add(line.number, f"run {tag!r} has a group already")
        groups[tag] = group
    if not groups and not faults:
        raise faults.refuse(None, "the file has no lines")
    faults.raise_if_any()
    return groups
