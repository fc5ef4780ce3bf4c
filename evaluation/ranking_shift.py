"""Ranking shift: what happens to the ranking of systems when one qrels is put in the place of another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.trec.records import Qrels
from annotate.trec.runs import Run
from evaluation import pair_index, sweep
from evaluation.agreement.value import Value, undefined
from evaluation.measures.measure import Measure
from evaluation.statistics import pair_counts, rank_correlation
from evaluation.statistics import tau_ap as top_weighted


@dataclass(frozen=True)
class SystemShift:
    """One system under both qrels: its means, and its places from 1 (tied systems share one)."""

    run_tag: str
    reference_mean: float
    other_mean: float
    reference_place: int
    other_place: int


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
    tied_reference: int
    tied_other: int


def compare(
    runs: Sequence[Run],
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
        return _without_topics()
    index = pair_index.build(runs, [reference, other], topics=chosen, depth=measure.depth)
    vectors = np.stack([pair_index.grades(index, qrels, highest=highest) for qrels in (reference, other)])
    first, second = sweep.means(index, vectors, measure, highest=highest).tolist()
    tags = index.run_tags
    counts = pair_counts.of_scores(first, second)
    return RankingShift(
        topics=chosen,
        systems=tuple(map(SystemShift, tags, first, second, _places(first), _places(second))),
        tau_a=rank_correlation.tau_a(counts),
        tau_b=rank_correlation.tau_b(counts),
        tau_ap=top_weighted.tau_ap(first, second, tags),
        gamma=rank_correlation.gamma(counts),
        tied_reference=counts.tied_first,
        tied_other=counts.tied_second,
    )


def _places(means: Sequence[float]) -> list[int]:
    return [1 + sum(other > mean for other in means) for mean in means]


def _without_topics() -> RankingShift:
    nothing = undefined("the two qrels have no topic in common")
    return RankingShift((), (), nothing, nothing, nothing, nothing, 0, 0)
