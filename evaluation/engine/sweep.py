"""A sweep: the same systems under many qrels, such as one with ever other holes."""

from collections.abc import Iterator, Sequence

import numpy as np

from annotate.formats.records import Qrels
from annotate.formats.runs import Run
from evaluation.engine import pair_index, run_index, scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.engine.run_index import RunIndex
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.measures.measure import Measure

_CELLS_AT_ONCE = 1 << 20


def indexed(
    runs: Sequence[Run] | RunIndex,
    several: Sequence[Qrels],
    measure: Measure,
    *,
    topics: Sequence[str],
    highest: int = 3,
) -> tuple[PairIndex, Grades]:
    """The pairs of the runs as deep as the measure looks, and the grade vectors (qrels, n + 2) of several qrels.

    An index of runs must be as deep. Raises GradeOffScale for a grade above `highest`.
    """
    rankings = runs if isinstance(runs, RunIndex) else run_index.build(runs, measure.depth)
    index = pair_index.build(rankings, several, topics=topics, depth=measure.depth)
    return index, np.stack([pair_index.grades(index, qrels, highest=highest) for qrels in several])


def values(index: PairIndex, vectors: Grades, measure: Measure, *, highest: int = 3) -> Iterator[Floats]:
    """The measure by system and topic, (system, topic), under each of the grade vectors (trial, n + 2).

    They are computed a few vectors at once, so that memory does not grow with their number.
    """
    cells = max(index.at_ranks.size + index.by_topic.size, 1)
    step = max(_CELLS_AT_ONCE // cells, 1)
    for start in range(0, len(vectors), step):
        yield from measure.compute(pair_index.matrix(index, vectors[start : start + step], highest=highest))


def means(index: PairIndex, vectors: Grades, measure: Measure, *, highest: int = 3) -> Floats:
    """The mean of the measure over the topics, of which there is one at least; (trial, system)."""
    found = (list(map(_mean, by_system.tolist())) for by_system in values(index, vectors, measure, highest=highest))
    return np.array(list(found)).reshape(len(vectors), len(index.run_tags))


def _mean(by_topic: Sequence[float]) -> float:
    return scoring.mean(by_topic).number
