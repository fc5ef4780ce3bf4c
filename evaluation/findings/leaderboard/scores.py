"""The systems of a collection under completed qrels: what a measure says of each, and whose grades it rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import median

import numpy as np

from annotate.grades import completed_qrels, rankings
from annotate.grades.completed_qrels import CompletedGrade
from annotate.models import Collection, Passage, Topic
from annotate.rules import completion
from evaluation.agreement.value import Value, share
from evaluation.engine import pair_index, scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.engine.scoring import MeasureScores
from evaluation.findings import run_indexes
from evaluation.inputs import facts
from evaluation.inputs.facts import Completed, Fingerprint
from evaluation.measures import gains as measures_gains
from evaluation.measures import grade_matrix, registry, unjudged
from evaluation.measures.grade_matrix import Floats, GradeMatrix, GradeProbabilities
from evaluation.measures.registry import UNJUDGED_PARAMETER, Measure
from evaluation.statistics import system_pairs
from evaluation.statistics.bootstrap import Interval

NO_GAIN = "it gains nothing"
_CELLS_AT_ONCE = 1 << 19


@dataclass(frozen=True)
class ModelShares:
    """Of one system: `gains` of its gains, `judged` of the judged passages down to the rank where Judged@k stands."""

    gains: Value
    judged: Value


def compute_model_shares(pairs: PairIndex, completed: Completed, measure: Measure, highest: int) -> list[ModelShares]:
    """What a model's grades give of each system, in the order of the runs; 0 to 1.

    Gains are those within the measure's cut-off (all ranks without one), not discounted: by `gain`, or 0 and 1 where
    it has `rel`; linear where it has neither; expected ones of probabilities. Undefined where nothing is gained or
    judged.
    """
    top = 2 * highest + 1
    coded, rows = grade_matrix.code_uncertain(*_coded(completed, pairs.topics, highest), highest=top)
    vector = pair_index.grades(pairs, dict(zip(pairs.topics, coded, strict=True)), highest=len(rows))
    worth = _worth(measure, highest)
    return [
        found
        for part in pair_index.parts(pairs, _CELLS_AT_ONCE)
        for found in _model_shares_of_part(
            replace(pair_index.matrix(part, vector, highest=top), probabilities=rows), measure, worth
        )
    ]


def _model_shares_of_part(codes: GradeMatrix, measure: Measure, worth: Floats) -> list[ModelShares]:
    is_condensed = measure.parameters.get(UNJUDGED_PARAMETER) == "condensed"
    scored = unjudged.condensed(codes) if is_condensed else codes
    gained, by_models = _gained(scored, measure.cutoff, worth)
    cutoff = scoring.judged_cutoff(measure)
    seen = grade_matrix.cut(codes.grades, cutoff)
    judged, of_models = (
        np.count_nonzero(seen >= lowest, axis=(-2, -1)).tolist() for lowest in (0, codes.highest // 2 + 1)
    )
    nothing_judged = f"nothing in its first {cutoff} ranks is judged"
    return [
        ModelShares(share(part, whole, NO_GAIN), share(few, many, nothing_judged))
        for part, whole, few, many in zip(by_models, gained, of_models, judged, strict=True)
    ]


def _gained(codes: GradeMatrix, cutoff: int | None, worth: Floats) -> tuple[list[float], list[float]]:
    """What each run gains in all, and from grades of models: its codes, counted, times what each is worth."""
    assert codes.probabilities is not None
    states = -grade_matrix.EMPTY  # below 0: a hole, junk, the end
    cells = grade_matrix.cut(codes.grades, cutoff).reshape(len(codes.grades), -1)
    counts = np.array(
        [np.bincount(each, minlength=states + len(codes.probabilities)) for each in cells.astype(np.intp) + states]
    )
    of_models = np.concatenate([np.zeros_like(worth), worth])
    worths = codes.probabilities @ np.stack([np.concatenate([worth, worth]), of_models], axis=-1)
    gained, by_models = (counts[:, states:] @ worths).T.tolist()
    return gained, by_models


def _coded(
    completed: Completed, topics: Sequence[str], highest: int
) -> tuple[list[dict[str, int]], list[GradeProbabilities]]:
    """Grades and probabilities by topic, in which a model's stand above all others: its grade g is highest + 1 + g."""
    below = [0.0] * (highest + 1)
    grades = [
        {
            passage_id: grade + highest + 1 if grade >= 0 and (query_id, passage_id) in completed.from_models else grade
            for passage_id, grade in completed.qrels.get(query_id, {}).items()
        }
        for query_id in topics
    ]
    probabilities = [
        {passage_id: [*below, *given] for passage_id, given in completed.probabilities.get(query_id, {}).items()}
        for query_id in topics
    ]
    return grades, list(probabilities)


def _worth(measure: Measure, highest: int) -> Floats:
    known = measure.definition.parameters
    is_binary = "rel" in measure.parameters or ("rel" in known and "gain" not in known)
    gain = str(measure.parameters.get("gain", "linear"))
    return measures_gains.gain_table(gain, highest, measure.threshold if is_binary else None)


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

    @cached_property
    def by_tag(self) -> dict[str, MeasureScores]:
        """What the first measure says of each system."""
        return {system.run_tag: system.by_measure[self.measures[0]] for system in self.systems}


def compute_leaderboard(
    collection: Collection,
    rule: completion.Rule,
    measures: list[str],
    *,
    with_probabilities: bool = False,
    with_ranges: bool = False,
) -> Leaderboard:
    """All runs over the topics of the full qrels: those that have a grade under the rule, or had one before a draw.

    `with_probabilities` a model's grades count by their probabilities, where it gave them: expected gains.
    `with_ranges` says what holes leave open, which takes longer than all else.
    Raises registry.MeasureRefused, CannotMeasure and completed_qrels.NoSuchRater, with the sentence.
    """
    parsed = tuple(registry.parse(text) for text in measures)
    fingerprint = facts.fingerprint(collection, rule.models)
    return _leaderboard(collection, rule, parsed, with_probabilities, with_ranges, fingerprint)


@lru_cache(maxsize=64)
def _leaderboard(
    collection: Collection,
    rule: completion.Rule,
    measures: tuple[Measure, ...],
    with_probabilities: bool,
    with_ranges: bool,
    fingerprint: Fingerprint,
) -> Leaderboard:
    found = facts.complete_qrels(collection, rule, with_probabilities=with_probabilities, current=fingerprint)
    return rank_systems(collection, rule, found, measures, found.topics, with_ranges=with_ranges)


def rank_systems(
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
    collection: Collection, found: Completed, measures: tuple[Measure, ...], topics: tuple[str, ...], with_ranges: bool
) -> list[SystemScores]:
    """By the bytes of their tags, without places and intervals."""
    rows = rankings.published_runs(collection)
    index = run_indexes.load_index(collection, rows, measures)
    highest = collection.highest_grade
    depth = scoring.needed_depth(measures)
    pairs = pair_index.build(index, [found.qrels, found.probabilities], topics=topics, depth=depth)
    scored = scoring.score_runs(
        index,
        found.qrels,
        measures,
        topics=topics,
        highest=highest,
        probabilities=found.probabilities,
        with_ranges=with_ranges,
        pairs=pairs,
    )
    shares = compute_model_shares(pairs, found, measures[0], highest)
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
        system_pairs.mean_intervals([list(system.by_measure[name].by_topic.values()) for system in systems], tags)
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


@dataclass(frozen=True)
class TopicScore:
    """A system on one topic; `median` is over all systems. `other_value` is under the other rule, None without one."""

    query_id: str
    text: str
    value: float
    median: float
    other_value: float | None
    is_missing: bool

    @property
    def difference(self) -> float | None:
        """Under the other rule less under the first."""
        return None if self.other_value is None else self.other_value - self.value


@dataclass(frozen=True)
class RankedPassage:
    """One rank; the grades are None where the rule leaves a hole."""

    rank: int
    passage_id: str
    title: str
    text: str
    grade: CompletedGrade | None
    other_grade: CompletedGrade | None


def score_topics(
    collection: Collection, run_tag: str, board: Leaderboard, other: Leaderboard | None
) -> list[TopicScore]:
    """All topics of the board, in its order. Raises KeyError for a system that it does not have."""
    scores = board.by_tag.values()
    others = other.by_tag[run_tag].by_topic if other else {}
    missing = {query_id for system in board.systems if system.run_tag == run_tag for query_id in system.missing_topics}
    texts = dict(Topic.objects.published().filter(collection=collection).values_list("query_id", "text"))
    own = board.by_tag[run_tag].by_topic
    return [
        TopicScore(
            query_id,
            texts.get(query_id, ""),
            own[query_id],
            median(each.by_topic[query_id] for each in scores),
            others.get(query_id),
            query_id in missing,
        )
        for query_id in board.topics
    ]


def list_ranking(
    collection: Collection, run_tag: str, query_id: str, rules: Sequence[completion.Rule], depth: int
) -> list[RankedPassage]:
    """The first ranks of a topic, with the grades under one rule or two."""
    row = next(run for run in rankings.published_runs(collection) if run.tag == run_tag)
    passage_ids = rankings.load_top(row, depth).ranking(query_id, depth)
    texts = {
        name: (title, text)
        for name, title, text in Passage.objects.published()
        .filter(collection=collection, passage_id__in=passage_ids)
        .values_list("passage_id", "title", "text")
    }
    grades = [_grades(collection, rule, query_id) for rule in rules]
    return [
        RankedPassage(
            rank,
            passage_id,
            *texts.get(passage_id, ("", "")),
            grade=grades[0].get(passage_id),
            other_grade=grades[1].get(passage_id) if len(grades) > 1 else None,
        )
        for rank, passage_id in enumerate(passage_ids, start=1)
    ]


def _grades(collection: Collection, rule: completion.Rule, query_id: str) -> dict[str, CompletedGrade]:
    lines = completed_qrels.complete_qrels(collection, rule)
    return {line.passage_id: line for line in lines if line.query_id == query_id}
