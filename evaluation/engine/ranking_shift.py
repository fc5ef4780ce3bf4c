"""Ranking shift: what happens to the ranking of systems when one qrels is put in the place of another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate.formats.records import Qrels
from annotate.formats.runs import Run
from evaluation.agreement.value import Value, undefined
from evaluation.engine import scoring
from evaluation.engine.run_index import RunIndex
from evaluation.measures.registry import Measure
from evaluation.statistics import bootstrap, rank_correlation, score_matrix
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
        return without_topics()
    index, vectors = scoring.index_sweep(runs, [reference, other], measure, topics=chosen, highest=highest)
    first, second = scoring.sweep_means(index, vectors, measure, highest=highest).tolist()
    return of_means(index.run_tags, first, second, topics=chosen)


def of_means(
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


def without_topics() -> RankingShift:
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
    """The intervals over the topics of all correlations, as `system_intervals.of_correlations` draws them.

    `topics` are those of `compare`; raises as `compare`.
    """
    index, vectors = scoring.index_sweep(runs, [reference, other], measure, topics=topics, highest=highest)
    first, second = scoring.sweep_values(index, vectors, measure, highest=highest)
    return score_matrix.correlation_intervals(first, second, index.run_tags, how)


def _places(means: Sequence[float]) -> list[int]:
    return [1 + sum(other > mean for other in means) for mean in means]
