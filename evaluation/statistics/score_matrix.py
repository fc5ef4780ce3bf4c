"""The score matrix: what a measure gives each system on each topic, (systems, topics)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from evaluation.agreement.ratios import Floats

# Sums of the same topics in another order differ in the last bits; that makes no difference between systems.
_DECIMALS = 12


def checked(scores: ArrayLike, systems: Sequence[str]) -> Floats:
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
    found: Floats = matrix.sum(axis=1) / max(1, matrix.shape[1])
    return found
