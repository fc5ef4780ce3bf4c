"""The paired randomisation test: how often would chance, naming the two systems anew on each topic, do as much?"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.ratios import Floats

# How many sums of signed differences are held in memory at once.
_CHUNK = 2_000_000
# Sums that differ by less, relative to the sum of all sizes, are equal but for rounding.
_EQUAL = 1e-12


def p_values(differences: Floats, *, flips: int = 100_000, seed: int = 0) -> Floats:
    """Two-sided p-values of the mean of differences (topics, tests); all tests see the same flips of signs.

    Exact over all 2^topics signs where these are no more than `flips`; else from `flips` random ones and the
    one observed, so never below 1 / (flips + 1). Without any difference p is 1; NaN with
    fewer than two topics. Source: Fisher, The design of experiments, 1935; Smucker, Allan and Carterette, CIKM 2007.

    >>> p_values(np.array([[0.2, 0.1], [0.3, -0.1], [0.1, 0.2]])).tolist()
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
