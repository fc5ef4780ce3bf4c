"""Scoring: what measures say of runs, by topic and in the mean, under one qrels or a sweep of many."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotate.formats.faults import Refused
from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run, select_topics
from evaluation.agreement.value import Value, undefined
from evaluation.engine import pair_index, run_index
from evaluation.engine.pair_index import CodedGrades, PairIndex
from evaluation.engine.run_index import RunIndex
from evaluation.measures.grade_matrix import EMPTY, Floats, GradeMatrix, GradeProbabilities, Grades
from evaluation.measures.registry import Measure
from evaluation.statistics.anova import Cell

USUAL_CUTOFF = 10
NO_TOPIC = "there is no topic to average over"
NONE_RELEVANT = "no topic has a relevant passage"


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
    counts as relevant (or may, where there are probabilities) and are 0 there; `mean_with_relevant` is over the
    others. `judged` is the mean of Judged@`judged_cutoff`, the cut-off of the measure (10 where it has none).
    `short_topics` are ranked, but not down to the cut-off. `range` is there if it was asked for and the measure
    has one.
    """

    by_topic: Mapping[str, float]
    mean: Value
    topics_without_relevant: int
    mean_with_relevant: Value
    judged: Value
    judged_cutoff: int
    short_topics: int
    range: RangeScores | None = None

    @property
    def topics(self) -> int:
        return len(self.by_topic)

    @property
    def short_words(self) -> str:
        """A sentence on the topics that are not ranked down to the cut-off; empty without any."""
        if not self.short_topics:
            return ""
        topics = "1 topic has" if self.short_topics == 1 else f"{self.short_topics} topics have"
        passages = "passage" if self.judged_cutoff == 1 else "passages"
        return f"{topics} fewer than {self.judged_cutoff} ranked {passages}; the missing ranks count as nothing"


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
    probabilities: Mapping[str, GradeProbabilities] | None = None,
    with_ranges: bool = False,
) -> RunScores:
    """What `score_runs` says of one run."""
    (found,) = score_runs(
        [run], qrels, measures, topics=topics, highest=highest, probabilities=probabilities, with_ranges=with_ranges
    )
    return found


def score_runs(
    runs: Sequence[Run] | RunIndex,
    qrels: Qrels,
    measures: Sequence[Measure],
    *,
    topics: Iterable[str] | None = None,
    highest: int = 3,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
    with_ranges: bool = False,
    pairs: PairIndex | None = None,
) -> tuple[RunScores, ...]:
    """The values of `measures` by run, for the topics of the qrels or those given, in the order of their ids.

    An index of runs is as deep as `needed_depth`, as are `pairs`, where a caller has them: those of the qrels and
    probabilities in the runs, on these topics. A topic that the qrels lack has no judged passage. `highest` is the
    top grade of the scale. Holes that have `probabilities` (by topic and passage, those of the grades from 0 up)
    count with expected gains, as `grade_matrix.code_uncertain` says; ranges are over the other holes. Means are exact
    sums (math.fsum) over n, so they do not depend on the order. Raises GradeOffScale for a grade above `highest`,
    NoDistribution, and CannotMeasure.
    """
    chosen = tuple(sorted(qrels if topics is None else set(topics)))
    depth = needed_depth(measures)
    rankings = runs if isinstance(runs, RunIndex) else run_index.build(runs, depth)
    if pairs is None:
        pairs = pair_index.build(rankings, [qrels, probabilities or {}], topics=chosen, depth=depth)
    coded = pair_index.code_grades(qrels, probabilities or {}, topics=chosen, highest=highest)
    by_run = (
        dict(zip(measures, of_run, strict=True))
        for matrix in pair_index.grade_matrices(pairs, coded)
        for of_run in zip(*(_scores(measure, matrix, chosen, with_ranges) for measure in measures), strict=True)
    )
    return tuple(
        RunScores(tag, scores, tuple(sorted(set(chosen) - ranked)), tuple(sorted(ranked.difference(chosen))))
        for tag, scores, ranked in zip(rankings.run_tags, by_run, rankings.ranked_topics(), strict=True)
    )


def needed_depth(measures: Iterable[Measure]) -> int | None:
    """How many ranks of a run the measures look at; None for all."""
    depths = [measure.depth for measure in measures]
    return None if None in depths else max((depth for depth in depths if depth is not None), default=1)


def judged_cutoff(measure: Measure) -> int:
    """Where Judged@k stands beside a measure: its own cut-off, 10 where it has none."""
    return measure.cutoff or USUAL_CUTOFF


def mean(values: Iterable[float], reason: str = NO_TOPIC) -> Value:
    """The exact sum of the values over their number; undefined for this reason if there are none.

    >>> mean([0.1] * 10)
    Value(value=0.1, reason='')
    """
    listed = list(values)
    return Value(math.fsum(listed) / len(listed)) if listed else undefined(reason)


def _scores(measure: Measure, matrix: GradeMatrix, topics: Sequence[str], with_ranges: bool) -> list[MeasureScores]:
    """The measure of each run of a matrix."""
    values = measure.compute(matrix).tolist()
    has_relevant = (matrix.n_relevant(measure.threshold) > 0)[0].tolist()
    cutoff = judged_cutoff(measure)
    lengths = np.count_nonzero(matrix.grades != EMPTY, axis=-1)
    is_short = (lengths > 0) & (lengths < (measure.cutoff or 0))
    ranges = _ranges(measure, matrix, topics) if with_ranges else None
    return [
        MeasureScores(
            by_topic=dict(zip(topics, of_run, strict=True)),
            mean=mean(of_run),
            topics_without_relevant=has_relevant.count(False),
            mean_with_relevant=_mean_with_relevant(of_run, has_relevant),
            judged=mean(judged_shares),
            judged_cutoff=cutoff,
            short_topics=short,
            range=ranges[place] if ranges else None,
        )
        for place, (of_run, judged_shares, short) in enumerate(
            zip(values, matrix.judged_share(cutoff).tolist(), is_short.sum(axis=-1).tolist(), strict=True)
        )
    ]


def _mean_with_relevant(values: Sequence[float], has_relevant: Sequence[bool]) -> Value:
    reason = NONE_RELEVANT if values else NO_TOPIC
    return mean((value for value, has in zip(values, has_relevant, strict=True) if has), reason)


def _ranges(measure: Measure, matrix: GradeMatrix, topics: Sequence[str]) -> list[RangeScores] | None:
    found = measure.range_of(matrix)
    if found is None:
        return None
    pairs = zip(found.at_lowest.tolist(), found.at_highest.tolist(), strict=True)
    return [
        RangeScores(
            found.name, dict(zip(topics, zip(lowest, highest, strict=True), strict=True)), mean(lowest), mean(highest)
        )
        for lowest, highest in pairs
    ]


_CELLS_AT_ONCE = 1 << 20


def index_sweep(
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


def sweep_values(index: PairIndex, vectors: Grades, measure: Measure, *, highest: int = 3) -> Iterator[Floats]:
    """The measure by system and topic, (system, topic), under each of the grade vectors (trial, n + 2).

    They are computed a few vectors at once, so that memory does not grow with their number.
    """
    cells = max(index.at_ranks.size + index.by_topic.size, 1)
    step = max(_CELLS_AT_ONCE // cells, 1)
    for start in range(0, len(vectors), step):
        yield from measure.compute(pair_index.matrix(index, vectors[start : start + step], highest=highest))


def sweep_means(index: PairIndex, vectors: Grades, measure: Measure, *, highest: int = 3) -> Floats:
    """The mean of the measure over the topics, of which there is one at least; (trial, system)."""
    found = (
        list(map(_mean, by_system.tolist())) for by_system in sweep_values(index, vectors, measure, highest=highest)
    )
    return np.array(list(found)).reshape(len(vectors), len(index.run_tags))


def _mean(by_topic: Sequence[float]) -> float:
    return mean(by_topic).number


Flags = NDArray[np.bool_]
_VARIANTS_AT_ONCE = 2_000


@dataclass(frozen=True, eq=False)
class SystemScores:
    """What a measure gives each system, named by its run tag, on each topic: `values` (systems, topics).

    `is_missing` (systems, topics) says where nothing was retrieved. That counts, as a ranking without a passage.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    is_missing: Flags

    def missing(self) -> dict[str, list[str]]:
        """The topics for which nothing was retrieved, by system; systems without any are left out."""
        by_system = {
            system: [self.topics[column] for column in np.flatnonzero(row)]
            for system, row in zip(self.systems, self.is_missing, strict=True)
        }
        return {system: topics for system, topics in by_system.items() if topics}


def score_topics(
    runs: Sequence[Run],
    qrels: Qrels,
    measure: Measure,
    *,
    topics: Iterable[str],
    highest: int = 3,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
) -> SystemScores:
    """The scores on these topics, in the order of their ids. Holes that have probabilities count with expected gains,
    as `grade_matrix.code_uncertain` says.

    Raises Refused where two runs with one tag rank the same topic, GradeOffScale for a grade above `highest`,
    NoDistribution, and CannotMeasure.
    """
    chosen = sorted(set(topics))
    return _score(
        runs, pair_index.code_grades(qrels, probabilities or {}, topics=chosen, highest=highest), measure, chosen
    )


def score_variants(
    runs: Sequence[Run],
    qrels: Qrels,
    variants: Iterable[Variant],
    measure: Measure,
    *,
    highest: int = 3,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
) -> SystemScores:
    """The scores on these query variants, whose ids are the topics of the runs; grades and probabilities are those
    of their topics.

    They are scored some at once: each variant has all grades of its topic. Raises as `score_topics`.
    """
    topic_of = {variant.variant_id: variant.query_id for variant in variants}
    coded = pair_index.code_grades(qrels, probabilities or {}, topics=sorted(set(topic_of.values())), highest=highest)
    by_variant = {name: coded.qrels.get(query_id, {}) for name, query_id in topic_of.items()}
    names = sorted(by_variant)
    chunks = [names[start : start + _VARIANTS_AT_ONCE] for start in range(0, len(names), _VARIANTS_AT_ONCE)]
    parts = [_score(_cut(runs, chunk), replace(coded, qrels=by_variant), measure, chunk) for chunk in chunks or [[]]]
    return SystemScores(
        parts[0].systems,
        tuple(names),
        np.concatenate([part.values for part in parts], axis=1),
        np.concatenate([part.is_missing for part in parts], axis=1),
    )


def by_cell(found: SystemScores, variants: Iterable[Variant]) -> dict[Cell, list[float]]:
    """The scores of a profile's variants, by (topic, system, profile), for `anova.three_way`.

    Raises Refused for a system that retrieved nothing for any variant of a profile: its run is not there.
    """
    ordered = sorted(variants, key=lambda variant: variant[1:])
    places = {variant_id: place for place, variant_id in enumerate(found.topics)}
    columns = [places[variant.variant_id] for variant in ordered]
    cells: dict[Cell, list[float]] = {}
    for system, scores, is_missing in zip(found.systems, found.values, found.is_missing, strict=True):
        _check_all_ranked(system, ordered, is_missing[columns])
        for variant, score in zip(ordered, scores[columns].tolist(), strict=True):
            cells.setdefault((variant.query_id, system, variant.profile), []).append(score)
    return cells


def _score(runs: Sequence[Run], coded: CodedGrades, measure: Measure, topics: Sequence[str]) -> SystemScores:
    rankings = run_index.build(runs, measure.depth)
    index = pair_index.build(rankings, [coded.qrels], topics=topics, depth=measure.depth)
    none = np.zeros((0, len(topics)))
    by_run = np.concatenate([none, *(measure.compute(matrix) for matrix in pair_index.grade_matrices(index, coded))])
    ranked = [set(run.query_ids) for run in runs]
    is_ranked = np.array([[topic in of_run for topic in index.topics] for of_run in ranked], dtype=np.bool_)
    is_ranked = is_ranked.reshape(len(runs), len(index.topics))
    systems = tuple(dict.fromkeys(index.run_tags))
    found = [_sources(system, index.run_tags, index.topics, is_ranked) for system in systems]
    sources = np.array(found, dtype=np.intp).reshape(len(systems), len(index.topics))
    columns = np.arange(len(index.topics))
    return SystemScores(systems, index.topics, by_run[sources, columns], ~is_ranked[sources, columns])


def _cut(systems: Sequence[Run], topics: Iterable[str]) -> list[Run]:
    chosen = set(topics)
    return [select_topics(run, chosen) for run in systems]


def _sources(system: str, run_tags: Sequence[str], topics: Sequence[str], is_ranked: Flags) -> NDArray[np.intp]:
    """Which run has the system's ranking of each topic; its first where none has."""
    own = np.array([place for place, tag in enumerate(run_tags) if tag == system])
    for topic, times in zip(topics, is_ranked[own].sum(axis=0).tolist(), strict=True):
        if times > 1:
            raise Refused(f"{times} runs with the tag {system!r} rank topic {topic}: they could not be told apart")
    found: NDArray[np.intp] = own[is_ranked[own].argmax(axis=0)]
    return found


def _check_all_ranked(system: str, variants: Sequence[Variant], is_missing: Flags) -> None:
    ranked = {variant.profile for variant, missing in zip(variants, is_missing.tolist(), strict=True) if not missing}
    for profile in sorted({variant.profile for variant in variants} - ranked):
        raise Refused(f"system {system} retrieved nothing for any variant of profile {profile}: give that run too")
