"""The studentized range: how far apart the largest and smallest of k equal means lie, in standard errors."""

import math

import numpy as np
from numpy.polynomial import Chebyshev, legendre

from evaluation.agreement.ratios import Floats

_S_NODES, _S_WEIGHTS = legendre.leggauss(80)
_Z_NODES, _Z_WEIGHTS = legendre.leggauss(160)
# Beyond so many standard deviations nothing is left that doubles could add.
_REACH = 8.5
# Enough for the range of 200 means to 1e-11; fewer means have a flatter one.
_DEGREE = 240
_COMPLEMENT = np.frompyfunc(math.erfc, 1, 1)


def upper_tail(q: Floats, means: int, df: float) -> Floats:
    """The chance of a range of `means` means of at least each q (n,), with `df` degrees of freedom; 0 to 1.

    Means that are normal and equal, whose standard error was estimated with `df` degrees of freedom. Absolute
    error below 1e-9. scipy has the same distribution, but integrates anew for every value: a minute for all
    pairs of 60 systems. Source: Lund and Lund, Algorithm AS 190, 1983, for the integral.

    >>> upper_tail(np.array([0.0, 3.877, 5.27]), 3, 10).round(4).tolist()
    [1.0, 0.05, 0.01]
    """
    spread = _REACH / np.sqrt(2.0 * df)
    low, high = max(0.0, 1.0 - spread), 1.0 + spread
    s = low + (high - low) * (_S_NODES + 1.0) / 2.0
    weights = _S_WEIGHTS * _density(s, df)
    # The range of normal values is smooth: a polynomial gives the many values that are needed of it.
    range_tail = Chebyshev.interpolate(_range_tail, _DEGREE, domain=[0.0, 2.0 * _REACH], args=(means,))
    tails = range_tail(np.minimum(np.multiply.outer(q, s), 2.0 * _REACH))
    found: Floats = np.clip(tails @ weights / weights.sum(), 0.0, 1.0)
    return found


def _density(s: Floats, df: float) -> Floats:
    """The density of an estimated standard deviation whose true value is 1, up to a factor."""
    logarithm = (df - 1.0) * np.log(s) - df * (s**2 - 1.0) / 2.0
    found: Floats = np.exp(logarithm - logarithm.max())
    return found


def _range_tail(width: Floats, means: int) -> Floats:
    """The chance that `means` standard normal values span at least each width (n,)."""
    z = _REACH * _Z_NODES
    density = _Z_WEIGHTS * _REACH * np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    below = _share_below(z) - _share_below(z - width[:, np.newaxis])
    found: Floats = 1.0 - means * (below ** (means - 1)) @ density
    return found


def _share_below(z: Floats) -> Floats:
    """The normal distribution function; without scipy, which takes a third of a second to import."""
    found: Floats = _COMPLEMENT(-z / np.sqrt(2.0)).astype(np.float64) / 2.0
    return found
