"""Ranking shift: what happens to the ranking of systems when one qrels is put in the place of another."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.formats.records import Qrels
from annotate.formats.runs import Run
from evaluation.agreement.value import Value, undefined
from evaluation.engine import pair_index, scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.engine.run_index import RunIndex
from evaluation.measures import registry
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.measures.registry import Measure
from evaluation.statistics import bootstrap, rank_correlation, system_pairs
from evaluation.statistics.bootstrap import Interval, Resampling

NO_COMMON_TOPIC = "the two qrels have no topic in common"


@dataclass(frozen=True)
class SystemShift:
    """One system under both qrels: its means, and its places from 1 (tied systems share one)."""

    run_tag: str
    reference_mean: float
    other_mean: float
    reference_place: int
    other_place: int

    @property
    def places_up(self) -> int:
        """How many places higher it stands in the other ranking; below 0 it fell."""
        return self.reference_place - self.other_place


@dataclass(frozen=True)
class RankingShift:
    """Two rankings of the same systems on the same topics, the first by the reference.

    `tied_reference` and `tied_other` count the pairs of systems with equal means.
    """

    topics: tuple[str, ...]
    systems: tuple[SystemShift, ...]
    tau_a: Value
    tau_b: Value
    tau_ap: Value
    gamma: Value
    spearman: Value
    tied_reference: int
    tied_other: int

    @property
    def moved(self) -> list[SystemShift]:
        """The systems that changed their place, the farthest first, then by their place and tag."""
        moved = [system for system in self.systems if system.places_up]
        return sorted(moved, key=lambda system: (-abs(system.places_up), system.reference_place, system.run_tag))


def compare(
    runs: Sequence[Run] | RunIndex,
    reference: Qrels,
    other: Qrels,
    measure: Measure,
    *,
    topics: Iterable[str] | None = None,
    highest: int = 3,
) -> RankingShift:
    """How `other` ranks the runs in comparison with `reference`, by the mean of the measure.

    Topics are those that both qrels have, or those given. Systems stand in the order of the runs. Without a
    topic every correlation is undefined. Raises GradeOffScale and GainsTooShort.
    """
    chosen = tuple(sorted(reference.keys() & other.keys() if topics is None else set(topics)))
    if not chosen:
        return make_empty_shift()
    index, vectors = scoring.index_sweep(runs, [reference, other], measure, topics=chosen, highest=highest)
    first, second = scoring.sweep_means(index, vectors, measure, highest=highest).tolist()
    return compare_means(index.run_tags, first, second, topics=chosen)


def compare_means(
    run_tags: Sequence[str], reference: Sequence[float], other: Sequence[float], *, topics: Sequence[str]
) -> RankingShift:
    """How the second means rank the systems in comparison with the first; over one topic or more."""
    counts = rank_correlation.count_scores(reference, other)
    return RankingShift(
        topics=tuple(topics),
        systems=tuple(map(SystemShift, run_tags, reference, other, _places(reference), _places(other))),
        tau_a=rank_correlation.tau_a(counts),
        tau_b=rank_correlation.tau_b(counts),
        tau_ap=rank_correlation.tau_ap(reference, other, run_tags),
        gamma=rank_correlation.gamma(counts),
        spearman=rank_correlation.spearman(reference, other),
        tied_reference=counts.tied_first,
        tied_other=counts.tied_second,
    )


def make_empty_shift() -> RankingShift:
    """What is left where the two qrels have no topic in common: nothing is defined."""
    nothing = undefined(NO_COMMON_TOPIC)
    return RankingShift((), (), nothing, nothing, nothing, nothing, nothing, 0, 0)


def intervals(
    runs: Sequence[Run] | RunIndex,
    reference: Qrels,
    other: Qrels,
    measure: Measure,
    *,
    topics: Sequence[str],
    highest: int = 3,
    how: Resampling = bootstrap.USUAL,
) -> dict[str, Interval]:
    """The intervals over the topics of all correlations, as `system_pairs.correlation_intervals` draws them.

    `topics` are those of `compare`; raises as `compare`.
    """
    index, vectors = scoring.index_sweep(runs, [reference, other], measure, topics=topics, highest=highest)
    first, second = scoring.sweep_values(index, vectors, measure, highest=highest)
    return system_pairs.correlation_intervals(first, second, index.run_tags, how)


def _places(means: Sequence[float]) -> list[int]:
    return [1 + sum(other > mean for other in means) for mean in means]


MEASURE = registry.parse("nDCG@10")
_CELLS_AT_ONCE = 1 << 20
Pair = tuple[str, str]
PairProbabilities = Mapping[Pair, Sequence[float]]


@dataclass(frozen=True, eq=False)
class Stability:
    """s systems in their order of today, which counts open pairs as not relevant, the best first.

    `means_drawn` (s) are over the draws. `kept` (s - 1): the share of draws in which a system is
    still strictly before the next one, None where the two are level today. `taus`: tau-b of each draw's ranking with
    today's, NaN where one of them is level throughout.
    """

    run_tags: tuple[str, ...]
    means_drawn: tuple[float, ...]
    kept: tuple[float | None, ...]
    taus: Floats


def draw_stability(
    rankings: RunIndex,
    known: Qrels,
    probabilities: PairProbabilities,
    *,
    topics: Sequence[str],
    draws: int,
    seed: int,
    highest: int = 3,
) -> Stability:
    """`probabilities`: of open pairs, those of the grades from 0 up; what `known` grades stays. Two systems at least,
    one topic at least. The draw of a pair depends on the seed and on the pairs that are open."""
    open_pairs = {pair: one for pair, one in sorted(probabilities.items()) if pair[0] in set(topics)}
    index = pair_index.build(
        rankings, [known, pair_index.group_by_topic(open_pairs)], topics=topics, depth=MEASURE.depth
    )
    today = pair_index.grades(index, known, highest=highest)
    vectors = itertools.chain([today[np.newaxis]], _drawn(index, today, open_pairs, draws, np.random.default_rng(seed)))
    means = np.concatenate([scoring.sweep_means(index, few, MEASURE, highest=highest) for few in vectors])
    order = sorted(range(len(index.run_tags)), key=lambda place: (-means[0, place], index.run_tags[place]))
    ranked = means[:, order]
    ahead = ranked[:, :-1] > ranked[:, 1:]
    return Stability(
        run_tags=tuple(index.run_tags[place] for place in order),
        means_drawn=tuple(ranked[1:].mean(axis=0).tolist()),
        kept=tuple(
            float(share) if is_ahead else None
            for share, is_ahead in zip(ahead[1:].mean(axis=0), ahead[0].tolist(), strict=True)
        ),
        taus=rank_correlation.tau_bs(np.repeat(ranked[:1], draws, axis=0), ranked[1:]),
    )


def _drawn(
    index: PairIndex, today: Grades, probabilities: PairProbabilities, draws: int, random: np.random.Generator
) -> Iterator[Grades]:
    """The grade vectors (draw, n + 2) with a grade for each open pair, a few at once, so that memory stays small."""
    numbers = dict(zip(index.topics, index.numbers, strict=True))
    places = [numbers[query_id][name] for query_id, name in probabilities]
    upto = np.cumsum(np.array([*probabilities.values()] or [[1.0]], dtype=np.float64), axis=1)
    step = max(_CELLS_AT_ONCE // len(today), 1)
    for start in range(0, draws, step):
        drawn = np.repeat(today[np.newaxis], min(step, draws - start), axis=0)
        if places:
            # Probabilities add up to 1 but for rounding: the last grade takes what is left.
            points = random.random((len(drawn), len(places), 1)) * upto[:, -1:]
            drawn[:, places] = (points >= upto[:, :-1]).sum(axis=-1)
        yield drawn
