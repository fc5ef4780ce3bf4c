"""Ratios of arrays, some of which do not exist: NaN inside the arithmetic, never outside of it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    """The quotients, NaN where the denominator is 0. Raises no warning.

    >>> ratio(np.array([1, 2]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    top, bottom = np.broadcast_arrays(numerator, denominator)
    quotients = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=quotients, where=bottom != 0)
    return quotients
