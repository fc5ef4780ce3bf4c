"""The score matrix, what a measure gives each system on each topic (systems, topics), and intervals over its topics."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from evaluation.agreement.value import Floats
from evaluation.statistics import bootstrap, many_rankings
from evaluation.statistics.bootstrap import Interval, Resampling

# Sums of the same topics in another order differ in the last bits; that makes no difference between systems.
_DECIMALS = 12


def checked_scores(scores: ArrayLike, systems: Sequence[str]) -> Floats:
    """The matrix as numbers. Raises ValueError unless there is a finite row of scores for each system."""
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or len(matrix) != len(systems):
        raise ValueError(f"scores of the shape {matrix.shape} are no row of topics for each of {len(systems)} systems")
    if not np.isfinite(matrix).all():
        raise ValueError("a score is not a finite number")
    return matrix


def rounded(numbers: Floats) -> Floats:
    """The numbers without what rounding leaves in them, so that equal means tie and equal scores do not differ."""
    return np.round(numbers, _DECIMALS)


def means(matrix: Floats) -> Floats:
    """The mean of each system over the topics; 0 without a topic, where nothing that follows is defined."""
    result: Floats = matrix.sum(axis=1) / max(1, matrix.shape[1])
    return result


def mean_intervals(scores: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL) -> list[Interval]:
    """The interval of each system's mean of scores (systems, topics). Raises ValueError as `score_matrix.checked`.

    >>> [found] = mean_intervals([[0.0, 1.0, 1.0, 0.0]], ["bm25"])
    >>> (found.low, found.high, found.n)
    (0.0, 1.0, 4)
    """
    matrix = checked_scores(scores, systems)
    return bootstrap.percentiles_of_columns(_resampled_means(matrix, how), matrix.shape[1], how)


def correlation_intervals(
    reference: ArrayLike, other: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL
) -> dict[str, Interval]:
    """The intervals of `tau_b`, `tau_ap`, `tau_a`, `gamma` and `spearman` between the rankings by the means of two
    score matrices.

    Both have the shape (systems, topics), with the same topics in the same order: each resample takes the
    same topics on both sides. A topic drawn twice adds noise to both rankings, so correlations of resamples
    lie lower than the one of all topics: an interval that hardly reaches it means few topics, not a mistake.
    Raises ValueError as `score_matrix.checked`, and for different numbers of topics.
    """
    first, second = checked_scores(reference, systems), checked_scores(other, systems)
    if first.shape != second.shape:
        raise ValueError(f"{first.shape[1]} topics cannot be compared with {second.shape[1]}")
    a, b = _resampled_means(first, how), _resampled_means(second, how)
    topics = first.shape[1]
    result = {
        "tau_b": many_rankings.tau_bs(a, b),
        "tau_ap": many_rankings.tau_aps(a, b, systems),
        "tau_a": many_rankings.tau_as(a, b),
        "gamma": many_rankings.gammas(a, b),
        "spearman": many_rankings.spearmans(a, b),
    }
    return {name: bootstrap.percentiles(values, topics, how) for name, values in result.items()}


def _resampled_means(matrix: Floats, how: Resampling) -> Floats:
    """The mean of each system in each resample of the topics: (resamples, systems). Of the seed alone."""
    if how.over != "topics":
        raise ValueError("what is drawn anew between systems are topics")
    return rounded(bootstrap.totals(matrix.T, how) / max(1, matrix.shape[1]))
