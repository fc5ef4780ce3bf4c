"""p-values of differences between systems: paired t, randomisation and Tukey's tests, and Holm's correction."""

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.polynomial import Chebyshev, legendre
from numpy.typing import NDArray

from evaluation.agreement.value import Floats, ratio
from evaluation.statistics import system_pairs


def adjust_by_holm(p_values: Floats) -> Floats:
    """The p-values, each times the number of those not smaller, never falling, at most 1; NaN is no test.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

    >>> adjust_by_holm(np.array([0.04, 0.01, np.nan, 0.03])).round(3).tolist()
    [0.06, 0.03, nan, 0.06]
    """
    result = np.full(len(p_values), np.nan)
    tests = np.flatnonzero(~np.isnan(p_values))
    rising = tests[np.argsort(p_values[tests], kind="stable")]
    times = np.arange(len(rising), 0, -1)
    result[rising] = np.minimum(np.maximum.accumulate(p_values[rising] * times), 1.0)
    return result


def paired_t_p_values(differences: Floats) -> Floats:
    """Two-sided p-values of differences (topics, tests); NaN where a test's are equal or fewer than two.

    Source: Student, The probable error of a mean, 1908.

    >>> paired_t_p_values(np.array([[1.0, 0.5], [2.0, 0.5], [3.0, 0.5], [2.0, 0.5]])).round(4).tolist()
    [0.0163, nan]
    """
    topics, tests = differences.shape
    if topics < 2:
        return np.full(tests, np.nan)
    exact = system_pairs.rounded(differences)
    spread = exact.std(axis=0, ddof=1)
    spread[np.ptp(exact, axis=0) == 0] = 0.0
    t = ratio(np.abs(exact.mean(axis=0)), spread / np.sqrt(topics))
    # scipy takes half a second to import, and who starts the server or scores runs does not need it.
    from scipy import special

    result: Floats = 2.0 * special.stdtr(topics - 1, -t)
    return result


# How many sums of signed differences are held in memory at once.
_CHUNK = 2_000_000
# Sums that differ by less, relative to the sum of all sizes, are equal but for rounding.
_EQUAL = 1e-12


def randomisation_p_values(differences: Floats, *, flips: int = 100_000, seed: int = 0) -> Floats:
    """Two-sided p-values of the mean of differences (topics, tests); all tests see the same flips of signs.

    Exact over all 2^topics signs where these are no more than `flips`; else from `flips` random ones and the
    one observed, so never below 1 / (flips + 1). Without any difference p is 1; NaN with
    fewer than two topics. Source: Fisher, The design of experiments, 1935; Smucker, Allan and Carterette, CIKM 2007.

    >>> randomisation_p_values(np.array([[0.2, 0.1], [0.3, -0.1], [0.1, 0.2]])).tolist()
    [0.25, 0.75]
    """
    topics, tests = differences.shape
    if topics < 2:
        return np.full(tests, np.nan)
    least = np.abs(differences.sum(axis=0)) - _EQUAL * np.abs(differences).sum(axis=0)
    is_exact = 2**topics <= flips
    rows = max(1, _CHUNK // max(1, tests))
    hits, total = np.zeros(tests, dtype=np.int64), 0
    for signs in _all_signs(topics, rows) if is_exact else _random_signs(topics, flips, rows, seed):
        hits += (np.abs(signs @ differences) >= least).sum(axis=0)
        total += len(signs)
    return hits / total if is_exact else (hits + 1) / (total + 1)


def _all_signs(topics: int, rows: int) -> Iterator[Floats]:
    """All signs, half of them unseen: turning every sign leaves the size of the sum as it is."""
    number = 2 ** (topics - 1)
    for start in range(0, number, rows):
        codes = np.arange(start, min(start + rows, number))
        yield _signs((codes[:, np.newaxis] >> np.arange(topics)) & 1)


def _random_signs(topics: int, flips: int, rows: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    for start in range(0, flips, rows):
        yield _signs(generator.integers(0, 2, size=(min(rows, flips - start), topics)))


def _signs(bits: NDArray[np.int64]) -> Floats:
    return 2.0 * bits.astype(np.float64) - 1.0


_S_NODES, _S_WEIGHTS = legendre.leggauss(80)
_Z_NODES, _Z_WEIGHTS = legendre.leggauss(160)
# Beyond so many standard deviations nothing is left that doubles could add.
_REACH = 8.5
# Enough for the range of 200 means to 1e-11; fewer means have a flatter one.
_DEGREE = 240
_COMPLEMENT = np.frompyfunc(math.erfc, 1, 1)


def studentized_range_tail(q: Floats, means: int, df: float) -> Floats:
    """The chance of a range of `means` means of at least each q (n,), with `df` degrees of freedom; 0 to 1.

    Means that are normal and equal, whose standard error was estimated with `df` degrees of freedom. Absolute
    error below 1e-9. scipy has the same distribution, but integrates anew for every value: a minute for all
    pairs of 60 systems. Source: Lund and Lund, Algorithm AS 190, 1983, for the integral.

    >>> studentized_range_tail(np.array([0.0, 3.877, 5.27]), 3, 10).round(4).tolist()
    [1.0, 0.05, 0.01]
    """
    spread = _REACH / np.sqrt(2.0 * df)
    low, high = max(0.0, 1.0 - spread), 1.0 + spread
    s = low + (high - low) * (_S_NODES + 1.0) / 2.0
    weights = _S_WEIGHTS * _density(s, df)
    # The range of normal values is smooth: a polynomial gives the many values that are needed of it.
    range_tail = Chebyshev.interpolate(_range_tail, _DEGREE, domain=[0.0, 2.0 * _REACH], args=(means,))
    tails = range_tail(np.minimum(np.multiply.outer(q, s), 2.0 * _REACH))
    result: Floats = np.clip(tails @ weights / weights.sum(), 0.0, 1.0)
    return result


def _density(s: Floats, df: float) -> Floats:
    """The density of an estimated standard deviation whose true value is 1, up to a factor."""
    logarithm = (df - 1.0) * np.log(s) - df * (s**2 - 1.0) / 2.0
    result: Floats = np.exp(logarithm - logarithm.max())
    return result


def _range_tail(width: Floats, means: int) -> Floats:
    """The chance that `means` standard normal values span at least each width (n,)."""
    z = _REACH * _Z_NODES
    density = _Z_WEIGHTS * _REACH * np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    below = _share_below(z) - _share_below(z - width[:, np.newaxis])
    result: Floats = 1.0 - means * (below ** (means - 1)) @ density
    return result


def _share_below(z: Floats) -> Floats:
    """The normal distribution function; without scipy, which takes a third of a second to import."""
    result: Floats = _COMPLEMENT(-z / np.sqrt(2.0)).astype(np.float64) / 2.0
    return result


_POINTS, _ROUNDS = 64, 6
_WIDEST = 100.0
# What is left of sums of squares after exact cancelling, as a share of all of them.
_ROUNDING = 1e-12


def signs_by_tukey(scores: Floats, level: float) -> NDArray[np.int8]:
    """Of each pair of systems in each matrix of (trials, systems, topics) who is ahead significantly: (trials, pairs).

    1 the first, -1 the second, 0 none: what `system_pairs.by_tukey` says of each matrix. 0 where it is undefined.

    >>> signs_by_tukey(np.array([[[0.1, 0.2, 0.3], [0.5, 0.7, 0.7], [0.1, 0.2, 0.3]]]), 0.05).tolist()
    [[-1, 0, 1]]
    """
    systems, topics = scores.shape[-2:]
    left, right = np.triu_indices(systems, 1)
    if systems < 2 or topics < 2:
        return np.zeros((len(scores), len(left)), np.int8)
    means = scores.mean(axis=-1)
    differences = system_pairs.rounded(means[:, left] - means[:, right])
    df = (systems - 1) * (topics - 1)
    error = np.sqrt(_residual(scores) / df / topics)[:, np.newaxis]
    is_far = np.nan_to_num(ratio(np.abs(differences), error)) > tukey_critical_range(systems, df, level)
    result: NDArray[np.int8] = (np.sign(differences) * is_far).astype(np.int8)
    return result


@lru_cache(maxsize=64)
def tukey_critical_range(means: int, df: int, level: float) -> float:
    """The studentized range that equal means pass with the probability `level`; infinite beyond 100.

    >>> round(tukey_critical_range(3, 10, 0.05), 3)
    3.877
    """
    low, high = 0.0, _WIDEST
    if studentized_range_tail(np.array([high]), means, df)[0] >= level:
        return float("inf")
    for _ in range(_ROUNDS):
        at = np.linspace(low, high, _POINTS)
        beyond = int(np.argmax(studentized_range_tail(at, means, df) < level))
        low, high = float(at[max(beyond - 1, 0)]), float(at[beyond])
    return (low + high) / 2.0


def _residual(scores: Floats) -> Floats:
    """The sum of squares that neither systems nor topics explain, of each matrix."""
    centred = scores - scores.mean(axis=(-2, -1), keepdims=True)
    left = centred - centred.mean(axis=-1, keepdims=True) - centred.mean(axis=-2, keepdims=True)
    squares = (left**2).sum(axis=(-2, -1))
    result: Floats = np.where(squares > _ROUNDING * (centred**2).sum(axis=(-2, -1)), squares, 0.0)
    return result
