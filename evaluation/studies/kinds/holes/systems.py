"""What becomes of systems when grades change: their ranking, their differences, their means."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.engine import scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.measures.registry import Measure
from evaluation.statistics import many_rankings, rank_correlation, significance

EQUAL = "all systems have the same mean"
NO_NDCG = "its measure is not nDCG, so its means are not compared"

TrialFigure = list[float | str]  # of each trial the number, or why there is none


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """Systems under one or several qrels: means (..., systems), places from 1 (ties share one), and which pairs of
    systems differ (..., pairs): 1 where the first is significantly ahead, -1 where the second is, 0 where none is."""

    means: Floats
    places: NDArray[np.int64]
    ahead: NDArray[np.int8]


def rank_systems(index: PairIndex, grades: Grades, measure: Measure, highest: int, level: float) -> SystemRanking:
    """Under all grades, a vector (n + 2)."""
    result = rank_systems_in_trials(
        list(scoring.sweep_values(index, grades[np.newaxis], measure, highest=highest)), level
    )
    return SystemRanking(result.means[0], result.places[0], result.ahead[0])


def rank_systems_in_trials(values: Sequence[Floats], level: float) -> SystemRanking:
    """Of values (systems, topics) for each trial."""
    # As `scoring.mean` has it: exact sums, so that systems with the same values tie.
    means = np.array([list(map(math.fsum, each.tolist())) for each in values]) / values[0].shape[-1]
    places = 1 + np.count_nonzero(means[:, np.newaxis, :] > means[:, :, np.newaxis], axis=-1)
    return SystemRanking(means, places, significance.signs_by_tukey(np.stack(values), level))


def correlate_rankings(reference: Floats, means: Floats, tags: Sequence[str]) -> dict[str, TrialFigure]:
    """tau-b and tau-AP of each ranking (trials, systems) with the reference's (systems)."""
    rows = np.broadcast_to(reference, means.shape)
    reason = EQUAL if len(tags) > 1 else rank_correlation.TOO_FEW
    return {
        "tau_b": as_figure(many_rankings.tau_bs(rows, means), reason),
        "tau_ap": as_figure(many_rankings.tau_aps(rows, means, tags), reason),
    }


def compare_rankings(reference: SystemRanking, result: SystemRanking, *, has_means: bool) -> dict[str, TrialFigure]:
    """How far systems moved, and which findings were lost or made; without `has_means` their means are no nDCG."""
    lost = (reference.ahead != 0) & (result.ahead == 0)
    made = (reference.ahead == 0) & (result.ahead != 0)
    turned = reference.ahead * result.ahead < 0
    moved = np.abs(result.places - reference.places).max(axis=-1)
    off = np.sqrt(np.mean((result.means - reference.means) ** 2, axis=-1))
    return {
        "largest_rank_change": moved.astype(np.float64).tolist(),
        "significant_lost": lost.sum(axis=-1).astype(np.float64).tolist(),
        "significant_found": made.sum(axis=-1).astype(np.float64).tolist(),
        "significant_reversed": turned.sum(axis=-1).astype(np.float64).tolist(),
        "rmse": off.tolist() if has_means else [NO_NDCG] * len(off),
    }


def as_figure(values: Floats, reason: str) -> TrialFigure:
    """The numbers; where one is NaN, the reason."""
    return [reason if value != value else value for value in values.tolist()]
