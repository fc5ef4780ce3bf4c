"""Spearman's rank correlation: how far two orders lie apart in places, rather than in pairs."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.agreement.ratios import ratio
from evaluation.agreement.value import Value, undefined, unless_nan
from evaluation.statistics import rank_correlation


def spearman(first: ArrayLike, second: ArrayLike) -> Value:
    """The linear correlation of the places of two score vectors of equal length; -1 to 1.

    Tied scores share the mean of their places. Undefined with fewer than two scores, and if one side ties
    everything. Raises ValueError for different lengths. Source: Spearman 1904.

    >>> spearman([0.1, 0.5, 0.3, 0.9], [1, 2, 3, 4])
    Value(value=0.8, reason='')
    """
    a, b = _doubled_places(np.asarray(first)), _doubled_places(np.asarray(second))
    if len(a) != len(b):
        raise ValueError(f"{len(a)} scores cannot be compared with {len(b)}")
    if len(a) < 2:
        return undefined(rank_correlation.TOO_FEW)
    spread_a, spread_b = float(a @ a), float(b @ b)
    if not (spread_a and spread_b):
        return undefined(rank_correlation.all_equal(not spread_a, not spread_b))
    scale = spread_a if spread_a == spread_b else math.sqrt(spread_a) * math.sqrt(spread_b)
    return Value(float(a @ b) / scale)


def of_tables(tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """The same of label vectors, given by their contingency tables of (..., values, values): rows are the rising
    values of the first. NaN where undefined.

    >>> of_tables(np.array([[[2, 0], [1, 1]], [[2, 0], [1, 0]]])).round(3).tolist()
    [0.577, nan]
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    a, b = _doubled_places_of(rows), _doubled_places_of(columns)
    together = np.einsum("...i,...ij,...j->...", a, tables, b)
    spread_a, spread_b = (rows * a**2).sum(axis=-1), (columns * b**2).sum(axis=-1)
    return ratio(together, np.where(spread_a == spread_b, spread_a, np.sqrt(spread_a) * np.sqrt(spread_b)))


def of_table(table: NDArray[np.int64]) -> Value:
    """The same of one table."""
    if table.sum() < 2:
        return undefined(rank_correlation.TOO_FEW)
    are_equal = [bool(np.count_nonzero(table.sum(axis=axis)) == 1) for axis in (1, 0)]
    return unless_nan(float(of_tables(table)), rank_correlation.all_equal(*are_equal))


def _doubled_places_of(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Twice the distance of each value's things from the middle place, where `counts` (..., values) have it."""
    n = counts.sum(axis=-1, keepdims=True)
    places: NDArray[np.float64] = 2.0 * (np.cumsum(counts, axis=-1) - counts) + counts - n
    return places


def _doubled_places(scores: NDArray[np.generic]) -> NDArray[np.float64]:
    """Twice each score's distance from the middle place: whole numbers, so sums of them are exact."""
    _, level, size = np.unique(scores, return_inverse=True, return_counts=True)
    below = np.cumsum(size) - size
    places: NDArray[np.float64] = (2.0 * below + size - len(scores))[level]
    return places
