"""Tukey's test of all pairs of systems for many score matrices at once, as sweeps have."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.ratios import Floats, ratio
from evaluation.statistics import score_matrix, studentized_range

_POINTS, _ROUNDS = 64, 6
_WIDEST = 100.0
# What is left of sums of squares after exact cancelling, as a share of all of them.
_ROUNDING = 1e-12


def ahead(scores: Floats, level: float) -> NDArray[np.int8]:
    """Of each pair of systems in each matrix of (trials, systems, topics) who is ahead significantly: (trials, pairs).

    1 the first, -1 the second, 0 none: what `system_pairs.by_tukey` says of each matrix. 0 where it is undefined.

    >>> ahead(np.array([[[0.1, 0.2, 0.3], [0.5, 0.7, 0.7], [0.1, 0.2, 0.3]]]), 0.05).tolist()
    [[-1, 0, 1]]
    """
    systems, topics = scores.shape[-2:]
    left, right = np.triu_indices(systems, 1)
    if systems < 2 or topics < 2:
        return np.zeros((len(scores), len(left)), np.int8)
    means = scores.mean(axis=-1)
    differences = score_matrix.rounded(means[:, left] - means[:, right])
    df = (systems - 1) * (topics - 1)
    error = np.sqrt(_residual(scores) / df / topics)[:, np.newaxis]
    is_far = np.nan_to_num(ratio(np.abs(differences), error)) > critical(systems, df, level)
    found: NDArray[np.int8] = (np.sign(differences) * is_far).astype(np.int8)
    return found


@lru_cache(maxsize=64)
def critical(means: int, df: int, level: float) -> float:
    """The studentized range that equal means pass with the probability `level`; infinite beyond 100.

    >>> round(critical(3, 10, 0.05), 3)
    3.877
    """
    low, high = 0.0, _WIDEST
    if studentized_range.upper_tail(np.array([high]), means, df)[0] >= level:
        return float("inf")
    for _ in range(_ROUNDS):
        at = np.linspace(low, high, _POINTS)
        beyond = int(np.argmax(studentized_range.upper_tail(at, means, df) < level))
        low, high = float(at[max(beyond - 1, 0)]), float(at[beyond])
    return (low + high) / 2.0


def _residual(scores: Floats) -> Floats:
    """The sum of squares that neither systems nor topics explain, of each matrix."""
    centred = scores - scores.mean(axis=(-2, -1), keepdims=True)
    left = centred - centred.mean(axis=-1, keepdims=True) - centred.mean(axis=-2, keepdims=True)
    squares = (left**2).sum(axis=(-2, -1))
    found: Floats = np.where(squares > _ROUNDING * (centred**2).sum(axis=(-2, -1)), squares, 0.0)
    return found
