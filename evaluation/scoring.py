"""Scoring: what measures say of a run against qrels, by topic and in the mean."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.trec.records import Qrels
from annotate.trec.runs import Run
from evaluation.agreement.value import Value, undefined
from evaluation.measures import grade_matrix, uncertain
from evaluation.measures.grade_matrix import GradeMatrix
from evaluation.measures.measure import Measure
from evaluation.measures.uncertain import Chances


@dataclass(frozen=True, eq=False)
class RangeScores:
    """What the holes leave open of a measure: values and means with all of them at the lowest and at the highest grade.

    `name` says whether these are bounds or a sensitivity range, which is none: see `unjudged.Range`.
    """

    name: str
    by_topic: Mapping[str, tuple[float, float]]
    mean_at_lowest: Value
    mean_at_highest: Value


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """One measure of one run.

    `mean` is over all topics; `topics_without_relevant` of them hold no judged passage that the measure
    counts as relevant (or may, where there are chances) and are 0 there; `mean_with_relevant` is over the
    others. `range` is there if it was asked for and the measure has one.
    """

    by_topic: Mapping[str, float]
    mean: Value
    topics_without_relevant: int
    mean_with_relevant: Value
    range: RangeScores | None = None

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
    chances: Mapping[str, Chances] | None = None,
    with_ranges: bool = False,
) -> RunScores:
    """The values of `measures`, for the topics of the qrels or those given, in the order of their ids.

    A topic that the qrels lack has no judged passage. `highest` is the top grade of the scale. Holes that have
    `chances` (by topic and passage, the probabilities of the grades from 0) count with expected gains, as
    `uncertain.build` says; ranges are over the other holes. Means are exact sums (math.fsum) over n, so they do
    not depend on the order. Raises GradeOffScale for a grade above `highest`, NoDistribution, and GainsTooShort.
    """
    chosen = tuple(sorted(qrels if topics is None else set(topics)))
    rankings = [run.ranking(query_id, needed_depth(measures)) for query_id in chosen]
    matrix = _matrix(rankings, chosen, qrels, chances or {}, highest)
    return RunScores(
        run_tag=run.tag,
        measures={measure: _scores(measure, matrix, chosen, with_ranges) for measure in measures},
        missing_topics=tuple(sorted(set(chosen).difference(run.query_ids))),
        ignored_topics=tuple(sorted(set(run.query_ids).difference(chosen))),
    )


def needed_depth(measures: Iterable[Measure]) -> int | None:
    """How many ranks of a run the measures look at; None for all."""
    depths = [measure.depth for measure in measures]
    return None if None in depths else max((depth for depth in depths if depth is not None), default=0)


def mean(values: Iterable[float]) -> Value:
    """The exact sum of the values over their number; undefined if there are none.

    >>> mean([0.1] * 10)
    Value(value=0.1, reason='')
    """
    listed = list(values)
    return Value(math.fsum(listed) / len(listed)) if listed else undefined("there is no topic to average over")


def _matrix(
    rankings: Sequence[Sequence[str]],
    topics: Sequence[str],
    qrels: Qrels,
    chances: Mapping[str, Chances],
    highest: int,
) -> GradeMatrix:
    judged = [qrels.get(query_id, {}) for query_id in topics]
    if not chances:
        return grade_matrix.build(rankings, judged, highest=highest)
    return uncertain.build(rankings, judged, [chances.get(query_id, {}) for query_id in topics], highest=highest)


def _scores(measure: Measure, matrix: GradeMatrix, topics: Sequence[str], with_ranges: bool) -> MeasureScores:
    values = measure.compute(matrix).tolist()
    has_relevant = (matrix.n_relevant(measure.threshold) > 0).tolist()
    return MeasureScores(
        by_topic=dict(zip(topics, values, strict=True)),
        mean=mean(values),
        topics_without_relevant=has_relevant.count(False),
        mean_with_relevant=mean(value for value, has in zip(values, has_relevant, strict=True) if has),
        range=_range(measure, matrix, topics) if with_ranges else None,
    )


def _range(measure: Measure, matrix: GradeMatrix, topics: Sequence[str]) -> RangeScores | None:
    found = measure.range_of(matrix)
    if found is None:
        return None
    lowest, highest = found.at_lowest.tolist(), found.at_highest.tolist()
    pairs = zip(lowest, highest, strict=True)
    return RangeScores(found.name, dict(zip(topics, pairs, strict=True)), mean(lowest), mean(highest))
