"""Arithmetic that measures share: parts of a whole that may be nothing, and readers who may stop at each passage."""

import numpy as np

from evaluation.measures.grade_matrix import Floats


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where the whole is 0. Both broadcast.

    >>> share(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def reaches(stops: Floats) -> Floats:
    """The probability of coming to each rank, `stops` being those of stopping there; both (..., rank).

    >>> reaches(np.array([0.5, 0.0, 1.0, 0.5])).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    goes_on = np.cumprod(1.0 - stops, axis=-1)
    return np.concatenate([np.ones_like(goes_on[..., :1]), goes_on[..., :-1]], axis=-1)


def expected_reciprocal(stops: Floats) -> Floats:
    """The expected value of 1 / the rank of the stop, 0 for a reader who never stops; (...).

    >>> expected_reciprocal(np.array([0.0, 1.0, 1.0])).tolist()
    0.5
    """
    ranks = np.arange(1, stops.shape[-1] + 1)
    total: Floats = (reaches(stops) * stops / ranks).sum(axis=-1)
    return total
