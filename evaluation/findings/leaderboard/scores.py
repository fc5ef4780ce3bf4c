"""The systems of a collection under completed qrels: what a measure says of each, and whose grades it rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from annotate.grades import rankings
from annotate.models import Collection
from annotate.rules import completion
from evaluation.agreement.value import Value
from evaluation.engine import pair_index, scoring
from evaluation.engine.scoring import MeasureScores
from evaluation.findings.leaderboard import model_gains
from evaluation.inputs import completed, facts, run_indexes
from evaluation.inputs.completed import Completed
from evaluation.inputs.facts import Stamp
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.statistics import system_intervals
from evaluation.statistics.bootstrap import Interval

TOP = 10


@dataclass(frozen=True, eq=False)
class SystemScores:
    """One run. `place` is its place from 1 by the first measure (tied systems share one); None without a mean.

    `by_measure` and `intervals` (of the means, over the topics) have the texts of the measures as keys. Of the first
    measure, `model_gains` is the share of its gains that a model's grades give.
    `judged` is the board's `judged_measure`; `model_share` the share of the judged passages down to that rank whose
    grade is a model's, undefined where none is judged. `missing_topics` are not in the run and count 0.
    """

    run_tag: str
    group: str
    place: int | None
    by_measure: dict[str, MeasureScores]
    intervals: dict[str, Interval]
    model_gains: Value
    judged: Value
    model_share: Value
    missing_topics: tuple[str, ...]

    @property
    def interval(self) -> Interval | None:
        """That of the first measure; None without a topic."""
        return next(iter(self.intervals.values()), None)


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Systems by the mean of the first measure, the best first, tied ones by their tags.

    `measures` are canonical texts, `judged_measure` is Judged at the cut-off of the first one (10 where it has none),
    `topics` the ids in order over which all means are. `without_relevant` counts by
    measure the topics that hold nothing relevant, and are 0. `graded` pairs have a grade, `graded_by_models` of them
    one of a model, `by_chances` of these count by the probabilities of the grades.
    """

    rule: completion.Rule
    measures: tuple[str, ...]
    judged_measure: str
    topics: tuple[str, ...]
    without_relevant: dict[str, int]
    graded: int
    graded_by_models: int
    by_chances: int
    systems: tuple[SystemScores, ...]


def leaderboard(
    collection: Collection,
    rule: completion.Rule,
    measures: list[str],
    *,
    with_chances: bool = False,
    with_ranges: bool = False,
) -> Leaderboard:
    """All runs over the topics of the full qrels: those that have a grade under the rule, or had one before a draw.

    `with_chances` a model's grades count by their probabilities, where it gave them: expected gains. `with_ranges`
    tells what holes leave open, which takes longer than all else.
    Raises registry.MeasureRefused, CannotMeasure and completed_qrels.NoSuchRater, with the sentence.
    """
    parsed = tuple(registry.parse(text) for text in measures)
    stamp = facts.stamp(collection, rule.models)
    return _leaderboard(collection, rule, parsed, with_chances, with_ranges, stamp)


@lru_cache(maxsize=64)
def _leaderboard(
    collection: Collection,
    rule: completion.Rule,
    measures: tuple[Measure, ...],
    with_chances: bool,
    with_ranges: bool,
    stamp: Stamp,
) -> Leaderboard:
    found = completed.complete(collection, rule, with_chances=with_chances, stamp=stamp)
    return rank(collection, rule, found, measures, found.topics, with_ranges=with_ranges)


def rank(
    collection: Collection,
    rule: completion.Rule,
    found: Completed,
    measures: tuple[Measure, ...],
    topics: Iterable[str],
    *,
    with_ranges: bool = False,
) -> Leaderboard:
    """The leaderboard over the given topics."""
    chosen = tuple(sorted(topics))
    names = tuple(str(measure) for measure in measures)
    systems = _with_intervals(_systems(collection, found, measures, chosen, with_ranges), names)
    return Leaderboard(
        rule=rule,
        measures=names,
        judged_measure=f"Judged@{scoring.judged_cutoff(measures[0])}",
        topics=chosen,
        without_relevant={n: systems[0].by_measure[n].topics_without_relevant for n in names} if systems else {},
        graded=found.graded,
        graded_by_models=len(found.from_models),
        by_chances=found.by_chances,
        systems=_placed(systems, names[0]),
    )


def _systems(
    collection: Collection,
    found: Completed,
    measures: tuple[Measure, ...],
    topics: tuple[str, ...],
    with_ranges: bool,
) -> list[SystemScores]:
    """By the bytes of their tags, without places and intervals."""
    rows = rankings.published_runs(collection)
    index = run_indexes.of(collection, rows, measures)
    highest = collection.highest_grade
    depth = scoring.needed_depth(measures)
    pairs = pair_index.build(index, [found.qrels, found.chances], topics=topics, depth=depth)
    scored = scoring.score_runs(
        index,
        found.qrels,
        measures,
        topics=topics,
        highest=highest,
        chances=found.chances,
        with_ranges=with_ranges,
        pairs=pairs,
    )
    shares = model_gains.shares(pairs, found, measures[0], highest)
    return [
        SystemScores(
            run_tag=row.tag,
            group=row.group,
            place=None,
            by_measure={str(measure): scores.measures[measure] for measure in measures},
            intervals={},
            model_gains=of_models.gains,
            judged=scores.measures[measures[0]].judged,
            model_share=of_models.judged,
            missing_topics=scores.missing_topics,
        )
        for row, scores, of_models in zip(rows, scored, shares, strict=True)
    ]


def _with_intervals(systems: list[SystemScores], measures: Sequence[str]) -> list[SystemScores]:
    """Of the same resamples for all systems, so that their intervals can be compared.

    A measure takes some 25 ms for 100 systems, so it is done with the board and kept with it, not in the background.
    """
    if not systems or not systems[0].by_measure[measures[0]].topics:
        return systems
    tags = [system.run_tag for system in systems]
    by_measure = [
        system_intervals.of_means([list(system.by_measure[name].by_topic.values()) for system in systems], tags)
        for name in measures
    ]
    return [
        replace(system, intervals=dict(zip(measures, intervals, strict=True)))
        for system, *intervals in zip(systems, *by_measure, strict=True)
    ]


def _placed(systems: Sequence[SystemScores], measure: str) -> tuple[SystemScores, ...]:
    """The best first. Systems come in the order of their tags, in which ties stay."""
    if not all(system.by_measure[measure].mean.is_defined for system in systems):
        return tuple(systems)
    falling = sorted(systems, key=lambda system: -system.by_measure[measure].mean.number)
    means = [system.by_measure[measure].mean.number for system in falling]
    return tuple(replace(system, place=1 + means.index(mean)) for system, mean in zip(falling, means, strict=True))
