"""The systems of a collection under completed qrels: what a measure says of each, and whose grades it rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from annotate.models import Collection, Run
from annotate.queries import rankings
from annotate.rules import completion, grades
from annotate.trec import runs
from evaluation import scoring
from evaluation.agreement.value import Value, undefined
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.queries import completed, facts, model_gains
from evaluation.queries.completed import Completed
from evaluation.queries.facts import Stamp
from evaluation.scoring import MeasureScores
from evaluation.statistics import system_intervals
from evaluation.statistics.bootstrap import Interval

TOP = 10
ALL_RANKS = 2**31 - 1
JUDGED = registry.parse(f"Judged@{TOP}")


@dataclass(frozen=True, eq=False)
class SystemScores:
    """One run. `place` is its place from 1 by the first measure (tied systems share one); None without a mean.

    `by_measure` has the texts of the measures as keys. Of the first measure, `interval` is that of the mean over the
    topics, `model_gains` the share of its gains that a model's grades give.
    `judged` is Judged@10; `model_share` the share of the judged passages in its top tens whose grade is a model's,
    undefined where none is judged. `missing_topics` are not in the run and count 0.
    """

    run_tag: str
    group: str
    model_family: str
    place: int | None
    by_measure: dict[str, MeasureScores]
    interval: Interval | None
    model_gains: Value
    judged: Value
    model_share: Value
    missing_topics: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Systems by the mean of the first measure, the best first, tied ones by their tags.

    `measures` are canonical texts, `topics` the ids in order over which all means are. `without_relevant` counts by
    measure the topics that hold nothing relevant, and are 0. `graded` pairs have a grade, `graded_by_models` of them
    one of a model.
    """

    rule: completion.Rule
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    without_relevant: dict[str, int]
    graded: int
    graded_by_models: int
    systems: tuple[SystemScores, ...]


def leaderboard(collection: Collection, rule: completion.Rule, measures: list[str]) -> Leaderboard:
    """All runs over the topics of the full qrels: those that have a grade under the rule, or had one before a draw.

    Raises registry.MeasureRefused, gains.GainsTooShort and completed_qrels.NoSuchRater, with the sentence.
    """
    parsed = tuple(registry.parse(text) for text in measures)
    return _leaderboard(collection, rule, parsed, facts.stamp(collection, rule.models))


@lru_cache(maxsize=64)
def _leaderboard(
    collection: Collection, rule: completion.Rule, measures: tuple[Measure, ...], _stamp: Stamp
) -> Leaderboard:
    found = completed.complete(collection, rule)
    return rank(collection, rule, found, measures, found.topics)


def tops(collection: Collection, measures: Iterable[Measure]) -> list[tuple[Run, runs.Run]]:
    """The collection's runs with the ranks that the measures need, and at least the top ten."""
    depth = max((ALL_RANKS if measure.depth is None else measure.depth for measure in measures), default=0)
    return [(row, rankings.top(row, max(depth, TOP))) for row in rankings.published_runs(collection)]


def rank(
    collection: Collection,
    rule: completion.Rule,
    found: Completed,
    measures: tuple[Measure, ...],
    topics: Iterable[str],
) -> Leaderboard:
    """The leaderboard over the given topics."""
    chosen = tuple(sorted(topics))
    names = tuple(str(measure) for measure in measures)
    systems = [
        _system(row, run, found, measures, chosen, collection.highest_grade) for row, run in tops(collection, measures)
    ]
    systems = _with_intervals(systems, names[0])
    return Leaderboard(
        rule=rule,
        measures=names,
        topics=chosen,
        without_relevant={n: systems[0].by_measure[n].topics_without_relevant for n in names} if systems else {},
        graded=sum(len(given) for given in found.qrels.values()),
        graded_by_models=len(found.from_models),
        systems=_placed(systems, names[0]),
    )


def _system(
    row: Run,
    run: runs.Run,
    found: Completed,
    measures: tuple[Measure, ...],
    topics: tuple[str, ...],
    highest: int,
) -> SystemScores:
    scores = scoring.score_run(run, found.qrels, [*measures, JUDGED], topics=topics, highest=highest, with_ranges=True)
    return SystemScores(
        run_tag=row.tag,
        group=row.group,
        model_family=row.model_family,
        place=None,
        by_measure={str(measure): scores.measures[measure] for measure in measures},
        interval=None,
        model_gains=model_gains.share(run, found, measures[0], topics, highest),
        judged=scores.measures[JUDGED].mean,
        model_share=_model_share(run, found, topics),
        missing_topics=scores.missing_topics,
    )


def _model_share(run: runs.Run, found: Completed, topics: Iterable[str]) -> Value:
    judged = models = 0
    for query_id in topics:
        given = found.qrels.get(query_id, {})
        for passage_id in run.ranking(query_id, TOP):
            if grades.is_judged(given.get(passage_id, grades.POOLED_UNJUDGED)):
                judged += 1
                models += (query_id, passage_id) in found.from_models
    return Value(models / judged) if judged else undefined("nothing in its top tens is judged")


def _with_intervals(systems: list[SystemScores], measure: str) -> list[SystemScores]:
    """Of the same resamples for all systems, so that their intervals can be compared."""
    matrix = [list(system.by_measure[measure].by_topic.values()) for system in systems]
    if not systems or not matrix[0]:
        return systems
    intervals = system_intervals.of_means(matrix, [system.run_tag for system in systems])
    return [replace(system, interval=interval) for system, interval in zip(systems, intervals, strict=True)]


def _placed(systems: Sequence[SystemScores], measure: str) -> tuple[SystemScores, ...]:
    """The best first. Systems come in the order of their tags, in which ties stay."""
    if not all(system.by_measure[measure].mean.is_defined for system in systems):
        return tuple(systems)
    falling = sorted(systems, key=lambda system: -system.by_measure[measure].mean.number)
    means = [system.by_measure[measure].mean.number for system in falling]
    return tuple(replace(system, place=1 + means.index(mean)) for system, mean in zip(falling, means, strict=True))
