"""The pair index: pairs by number and where they stand in the rankings of systems, so that grades are one array."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.trec.records import Qrels
from annotate.trec.runs import Run
from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import EMPTY, JUNK, UNJUDGED, GradeMatrix, Grades

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PairIndex:
    """The pairs of t topics that may have a grade, numbered from 0, in the rankings of s systems.

    `numbers` (t) tells the number of each passage of a topic. `at_ranks` (s, t, depth) has the number of the pair at
    each rank, `by_topic` (t, widest) those of each topic. Two numbers beyond the n pairs stand for whatever can have
    no grade: n for the other passages that were retrieved, n + 1 for no passage at all.
    """

    run_tags: tuple[str, ...]
    topics: tuple[str, ...]
    numbers: tuple[Mapping[str, int], ...]
    at_ranks: Numbers
    by_topic: Numbers

    def __len__(self) -> int:
        return sum(map(len, self.numbers))


def build(
    runs: Sequence[Run], qrels: Iterable[Qrels], *, topics: Iterable[str] | None = None, depth: int | None = None
) -> PairIndex:
    """The index of all pairs in any of the qrels, for the topics given or theirs, in the order of the ids.

    `depth` is how many ranks are indexed; None for all.
    """
    several = list(qrels)
    chosen = tuple(sorted(set().union(*several) if topics is None else set(topics)))
    numbers = _numbered(chosen, several)
    other = sum(map(len, numbers))
    rankings = [
        [known.get(passage_id, other) for passage_id in run.ranking(query_id, depth)]
        for run in runs
        for query_id, known in zip(chosen, numbers, strict=True)
    ]
    at_ranks = _rectangle(rankings, other + 1)
    return PairIndex(
        run_tags=tuple(run.tag for run in runs),
        topics=chosen,
        numbers=numbers,
        at_ranks=at_ranks.reshape(len(runs), len(chosen), at_ranks.shape[1]),
        by_topic=_rectangle([list(known.values()) for known in numbers], other + 1),
    )


def grades(index: PairIndex, qrels: Qrels, *, highest: int = 3) -> Grades:
    """The grades of qrels as a vector (n + 2) by pair number; topics that the index lacks are left out.

    Pairs that the qrels lack are UNJUDGED, as is the number n; n + 1 is EMPTY. Raises GradeOffScale for a grade above
    `highest`, KeyError for a pair that the index lacks.
    """
    grade_matrix.check_scale([qrels.get(query_id, {}) for query_id in index.topics], highest)
    vector = np.full(len(index) + 2, UNJUDGED, dtype=np.int16)
    vector[-1] = EMPTY
    for query_id, known in zip(index.topics, index.numbers, strict=True):
        given = qrels.get(query_id, {})
        vector[[known[passage_id] for passage_id in given]] = [max(grade, JUNK) for grade in given.values()]
    return vector


def matrix(index: PairIndex, vectors: Grades, *, highest: int = 3) -> GradeMatrix:
    """The grade matrix (..., system, topic, rank) of grade vectors (..., n + 2)."""
    judged = vectors[..., index.by_topic]
    falling = -np.sort(-np.where(judged < 0, np.int16(EMPTY), judged), axis=-1)
    return GradeMatrix(vectors[..., index.at_ranks], falling[..., np.newaxis, :, :], highest)


def _numbered(topics: Sequence[str], qrels: Sequence[Qrels]) -> tuple[dict[str, int], ...]:
    count = itertools.count()
    return tuple(
        {passage_id: next(count) for passage_id in dict.fromkeys(itertools.chain(*(q.get(topic, ()) for q in qrels)))}
        for topic in topics
    )


def _rectangle(rows: Sequence[Sequence[int]], filler: int) -> Numbers:
    filled = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int32)
    for row, numbers in zip(filled, rows, strict=True):
        row[: len(numbers)] = numbers
    return filled
