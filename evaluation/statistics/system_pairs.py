"""All pairs of systems: which differ by more than the topics make likely, with one error level for all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import Value, unless_nan
from evaluation.statistics import anova, holm, paired_t, randomisation, score_matrix, studentized_range

LEVEL = 0.05


@dataclass(frozen=True)
class SystemPair:
    """Two systems; `difference` is the mean of the first less that of the second.

    `p` is corrected for the number of pairs; `is_significant` says that it is below the level (never of an
    undefined one).
    """

    first: str
    second: str
    difference: float
    p: Value
    is_significant: bool


def by_tukey(scores: ArrayLike, systems: Sequence[str], level: float = LEVEL) -> tuple[SystemPair, ...]:
    """Tukey's honestly significant difference after the two-way analysis of variance of system and topic.

    Scores have the shape (systems, topics). Undefined with one topic, and if topic and system explain every
    score. Raises ValueError as `score_matrix.checked`. Source: Tukey, The problem of multiple comparisons,
    1953; Carterette, TOIS 30(1), 2012.

    >>> [found] = by_tukey([[0.2, 0.4, 0.7], [0.3, 0.6, 0.7]], ["bm25", "dense"])
    >>> round(found.difference, 2), round(found.p.number, 3)
    (-0.1, 0.225)
    """
    matrix = score_matrix.checked(scores, systems)
    return _pairs(matrix, systems, _tukey(matrix), "topics and systems explain every score", level)


def by_t_test(scores: ArrayLike, systems: Sequence[str], level: float = LEVEL) -> tuple[SystemPair, ...]:
    """Paired t-tests over the topics with Holm's correction. Raises ValueError as `score_matrix.checked`."""
    matrix = score_matrix.checked(scores, systems)
    p = holm.adjusted(paired_t.p_values(_differences(matrix)))
    return _pairs(matrix, systems, p, "the difference is the same on all topics", level)


def by_randomisation(
    scores: ArrayLike, systems: Sequence[str], level: float = LEVEL, *, flips: int = 100_000, seed: int = 0
) -> tuple[SystemPair, ...]:
    """Paired randomisation tests over the topics with Holm's correction; raises as `score_matrix.checked`.

    With random flips no p is below 1 / (flips + 1) before the correction: many pairs need many flips.
    """
    matrix = score_matrix.checked(scores, systems)
    p = holm.adjusted(randomisation.p_values(_differences(matrix), flips=flips, seed=seed))
    return _pairs(matrix, systems, p, "", level)  # with two topics there always is one


def _differences(matrix: Floats) -> Floats:
    """Of all pairs of systems: (topics, pairs)."""
    left, right = np.triu_indices(len(matrix), 1)
    return (matrix[left] - matrix[right]).T


def _mean_differences(matrix: Floats) -> Floats:
    """Of all pairs of systems: (pairs,)."""
    found: Floats = _differences(score_matrix.means(matrix)[:, np.newaxis])[0]
    return found


def _pairs(
    matrix: Floats, systems: Sequence[str], p_values: Floats, reason: str, level: float
) -> tuple[SystemPair, ...]:
    if matrix.shape[1] < 2:
        reason = "there is one topic, and a test needs two" if matrix.shape[1] else "there is no topic"
    differences = score_matrix.rounded(_mean_differences(matrix))
    found = zip(combinations(systems, 2), differences.tolist(), p_values.tolist(), strict=True)
    return tuple(
        SystemPair(first, second, difference, unless_nan(p, reason), p < level)
        for (first, second), difference, p in found
    )


def _tukey(matrix: Floats) -> Floats:
    systems, topics = matrix.shape
    differences = np.abs(_mean_differences(matrix))
    nothing = np.full(len(differences), np.nan)
    if topics < 2 or systems < 2:
        return nothing
    found = anova.two_way(matrix)
    if not found.residual_sum_of_squares:
        return nothing
    error = np.sqrt(found.residual_mean_square.number / topics)
    return studentized_range.upper_tail(differences / error, systems, found.residual_df)
