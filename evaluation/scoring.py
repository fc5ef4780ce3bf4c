"""Scoring: what measures say of a run against qrels, by topic and in the mean."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.trec.records import Qrels
from annotate.trec.runs import Run
from evaluation.agreement.value import Value, undefined
from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import GradeMatrix
from evaluation.measures.measure import Measure


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """One measure of one run.

    `mean` is over all topics; `topics_without_relevant` of them hold no judged passage that the measure
    counts as relevant and are 0 there; `mean_with_relevant` is over the others.
    """

    by_topic: Mapping[str, float]
    mean: Value
    topics_without_relevant: int
    mean_with_relevant: Value

    @property
    def topics(self) -> int:
        return len(self.by_topic)


@dataclass(frozen=True, eq=False)
class RunScores:
    """All measures of one run, on one list of topics.

    `missing_topics` are not in the run: nothing was retrieved for them, and they count. `ignored_topics`
    are only in the run.
    """

    run_tag: str
    measures: Mapping[Measure, MeasureScores]
    missing_topics: tuple[str, ...]
    ignored_topics: tuple[str, ...]


def score_run(
    run: Run,
    qrels: Qrels,
    measures: Sequence[Measure],
    *,
    topics: Iterable[str] | None = None,
    highest: int = 3,
) -> RunScores:
    """The values of `measures`, for the topics of the qrels or those given, in the order of their ids.

    A topic that the qrels lack has no judged passage. `highest` is the top grade of the scale. Means are
    exact sums (math.fsum) over n, so they do not depend on the order. Raises GradeOffScale for a grade
    above `highest`, and GainsTooShort.
    """
    chosen = tuple(sorted(qrels if topics is None else set(topics)))
    matrix = _matrix(run, qrels, chosen, measures, highest)
    return RunScores(
        run_tag=run.tag,
        measures={measure: _scores(measure, matrix, chosen) for measure in measures},
        missing_topics=tuple(sorted(set(chosen).difference(run.query_ids))),
        ignored_topics=tuple(sorted(set(run.query_ids).difference(chosen))),
    )


def mean(values: Iterable[float]) -> Value:
    """The exact sum of the values over their number; undefined if there are none.

    >>> mean([0.1] * 10)
    Value(value=0.1, reason='')
    """
    listed = list(values)
    return Value(math.fsum(listed) / len(listed)) if listed else undefined("there is no topic to average over")


def _matrix(run: Run, qrels: Qrels, topics: Sequence[str], measures: Sequence[Measure], highest: int) -> GradeMatrix:
    depths = [measure.depth for measure in measures]
    depth = None if None in depths else max((d for d in depths if d is not None), default=0)
    rankings = [run.ranking(query_id, depth) for query_id in topics]
    return grade_matrix.build(rankings, [qrels.get(query_id, {}) for query_id in topics], highest=highest)


def _scores(measure: Measure, matrix: GradeMatrix, topics: Sequence[str]) -> MeasureScores:
    values = measure.compute(matrix).tolist()
    has_relevant = (matrix.n_relevant(measure.threshold) > 0).tolist()
    return MeasureScores(
        by_topic=dict(zip(topics, values, strict=True)),
        mean=mean(values),
        topics_without_relevant=has_relevant.count(False),
        mean_with_relevant=mean(value for value, has in zip(values, has_relevant, strict=True) if has),
    )
