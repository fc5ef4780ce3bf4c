"""The studentized range: how far apart the largest and smallest of k equal means lie, in standard errors."""

import numpy as np
from scipy import special

from evaluation.agreement.ratios import Floats

# scipy integrates anew for every value, 40 ms each; all pairs of 60 systems would take a minute.
_S_NODES, _S_WEIGHTS = np.polynomial.legendre.leggauss(80)
_Z_NODES, _Z_WEIGHTS = np.polynomial.legendre.leggauss(160)
# Beyond 8 standard deviations nothing is left that doubles could add.
_REACH = 8.5
_CHUNK = 128


def upper_tail(q: Floats, means: int, df: float) -> Floats:
    """The chance of a range of `means` means of at least q (any shape (n,)), with `df` degrees of freedom; 0 to 1.

    Means that are normal and equal, whose standard error was estimated with `df` degrees of freedom. Absolute
    error below 1e-9. Source: Lund and Lund, Algorithm AS 190, 1983, for the integral; Gauss-Legendre nodes.

    >>> upper_tail(np.array([0.0, 3.877, 5.27]), 3, 10).round(4).tolist()
    [1.0, 0.05, 0.01]
    """
    spread = _REACH / np.sqrt(2.0 * df)
    low, high = max(0.0, 1.0 - spread), 1.0 + spread
    s = low + (high - low) * (_S_NODES + 1.0) / 2.0
    weights = _S_WEIGHTS * _density(s, df)
    weights /= weights.sum()
    found = np.empty(len(q))
    for start in range(0, len(q), _CHUNK):
        rows = slice(start, start + _CHUNK)
        found[rows] = _range_tail(q[rows, np.newaxis] * s, means) @ weights
    return np.clip(found, 0.0, 1.0)


def _density(s: Floats, df: float) -> Floats:
    """The density of an estimated standard deviation whose true value is 1, up to a factor."""
    logarithm = (df - 1.0) * np.log(s) - df * (s**2 - 1.0) / 2.0
    found: Floats = np.exp(logarithm - logarithm.max())
    return found


def _range_tail(width: Floats, means: int) -> Floats:
    """The chance that `means` standard normal values span at least `width` (any shape)."""
    z = _REACH * _Z_NODES
    density = _Z_WEIGHTS * _REACH * np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    below = special.ndtr(z) - special.ndtr(z - width[..., np.newaxis])
    found: Floats = 1.0 - means * (below ** (means - 1)) @ density
    return found
