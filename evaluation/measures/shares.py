"""Shares: a part over its whole, where the whole may be nothing."""

import numpy as np

from evaluation.measures.grade_matrix import Floats


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where the whole is 0. Both broadcast.

    >>> share(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)
