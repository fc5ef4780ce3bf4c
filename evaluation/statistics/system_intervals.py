"""Intervals over topics: of each system's mean, and of the correlation between two rankings of systems."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from evaluation.agreement.ratios import Floats
from evaluation.statistics import bootstrap, many_rankings, score_matrix
from evaluation.statistics.bootstrap import Interval, Resampling


def of_means(scores: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL) -> list[Interval]:
    """The interval of each system's mean of scores (systems, topics). Raises ValueError as `score_matrix.checked`.

    >>> [found] = of_means([[0.0, 1.0, 1.0, 0.0]], ["bm25"])
    >>> (found.low, found.high, found.n)
    (0.0, 1.0, 4)
    """
    matrix = score_matrix.checked(scores, systems)
    return bootstrap.percentiles_of_columns(_resampled_means(matrix, how), matrix.shape[1], how)


def of_correlations(
    reference: ArrayLike, other: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL
) -> dict[str, Interval]:
    """The intervals of `tau_b`, `tau_ap`, `tau_a`, `gamma` and `spearman` between the rankings by the means of two
    score matrices.

    Both have the shape (systems, topics), with the same topics in the same order: each resample takes the
    same topics on both sides. A topic drawn twice adds noise to both rankings, so correlations of resamples
    lie lower than the one of all topics: an interval that hardly reaches it means few topics, not a mistake.
    Raises ValueError as `score_matrix.checked`, and for different numbers of topics.
    """
    first, second = score_matrix.checked(reference, systems), score_matrix.checked(other, systems)
    if first.shape != second.shape:
        raise ValueError(f"{first.shape[1]} topics cannot be compared with {second.shape[1]}")
    a, b = _resampled_means(first, how), _resampled_means(second, how)
    topics = first.shape[1]
    found = {
        "tau_b": many_rankings.tau_bs(a, b),
        "tau_ap": many_rankings.tau_aps(a, b, systems),
        "tau_a": many_rankings.tau_as(a, b),
        "gamma": many_rankings.gammas(a, b),
        "spearman": many_rankings.spearmans(a, b),
    }
    return {name: bootstrap.percentiles(values, topics, how) for name, values in found.items()}


def _resampled_means(matrix: Floats, how: Resampling) -> Floats:
    """The mean of each system in each resample of the topics: (resamples, systems). Of the seed alone."""
    if how.over != "topics":
        raise ValueError("what is drawn anew between systems are topics")
    return score_matrix.rounded(bootstrap.totals(matrix.T, how) / max(1, matrix.shape[1]))
