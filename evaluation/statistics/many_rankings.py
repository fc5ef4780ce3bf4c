"""Rank correlations of many pairs of rankings at once, as resampling and sweeps have: (..., systems)."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.value import Floats, ratio

Signs = NDArray[np.int8]

# How many comparisons of two systems are held in memory at once.
_CHUNK = 2_000_000


def tau_bs(first: Floats, second: Floats) -> Floats:
    """tau-b of each row of scores (rankings, systems) with the same row of the other; NaN where undefined.

    The value of `rank_correlation.tau_b`: equal scores tie, nothing else does.

    >>> tau_bs(np.array([[1, 2, 3], [1, 1, 1]]), np.array([[1, 3, 2], [1, 2, 3]])).round(3).tolist()
    [0.333, nan]
    """
    result = np.empty(len(first))
    for rows, a, b in _signs_of_pairs(first, second):
        untied = np.count_nonzero(a, axis=1).astype(np.float64) * np.count_nonzero(b, axis=1)
        result[rows] = ratio(_excess(a, b), np.sqrt(untied))
    return result


def tau_as(first: Floats, second: Floats) -> Floats:
    """tau-a of each row with the same row of the other, as `rank_correlation.tau_a`; NaN where undefined.

    >>> tau_as(np.array([[1, 2, 3], [1, 1, 1]]), np.array([[1, 3, 2], [1, 2, 3]])).round(3).tolist()
    [0.333, 0.0]
    """
    result = np.empty(len(first))
    for rows, a, b in _signs_of_pairs(first, second):
        result[rows] = ratio(_excess(a, b), np.array(a.shape[1]))
    return result


def gammas(first: Floats, second: Floats) -> Floats:
    """Gamma of each row with the same row of the other, as `rank_correlation.gamma`; NaN where undefined.

    >>> gammas(np.array([[1, 2, 2], [1, 1, 1]]), np.array([[1, 3, 2], [1, 2, 3]])).tolist()
    [1.0, nan]
    """
    result = np.empty(len(first))
    for rows, a, b in _signs_of_pairs(first, second):
        is_constant = ~(a.any(axis=1) & b.any(axis=1))
        untied = np.maximum(np.count_nonzero(a * b, axis=1), 1)
        result[rows] = np.where(is_constant, np.nan, _excess(a, b) / untied)
    return result


def spearmans(first: Floats, second: Floats) -> Floats:
    """Spearman's correlation of each row with the same row of the other, as `spearman.spearman`; NaN where undefined.

    >>> spearmans(np.array([[0.1, 0.5, 0.3, 0.9]]), np.array([[1, 2, 3, 4]])).tolist()
    [0.8]
    """
    result = np.empty(len(first))
    for rows in _chunks(len(first), first.shape[1] ** 2):
        a, b = _doubled_places(first[rows]), _doubled_places(second[rows])
        spread_a, spread_b = (a * a).sum(axis=1), (b * b).sum(axis=1)
        spread = np.where(spread_a == spread_b, spread_a, np.sqrt(spread_a) * np.sqrt(spread_b))
        result[rows] = ratio((a * b).sum(axis=1), spread)
    return result


def tau_aps(reference: Floats, other: Floats, names: Sequence[str]) -> Floats:
    """tau-AP of each row of scores (rankings, systems) with the reference's; NaN where undefined.

    The value of `tau_ap.tau_ap`: tied systems stand in the order of their names.

    >>> tau_aps(np.array([[5, 4, 3, 2, 1]]), np.array([[4, 5, 3, 2, 1]]), "ABCDE").tolist()
    [0.5]
    """
    size = len(names)
    if size < 2:
        return np.full(len(reference), np.nan)
    by_name = np.argsort(np.array(list(names)), kind="stable")
    above = np.tri(size, k=-1, dtype=bool)
    result = np.empty(len(reference))
    for rows in _chunks(len(reference), size * size):
        places = _reference_places(reference[rows][:, by_name], other[rows][:, by_name])
        agreeing = ((places[:, np.newaxis, :] < places[:, :, np.newaxis]) & above).sum(axis=2)
        result[rows] = 2.0 * (agreeing[:, 1:] / np.arange(1, size)).mean(axis=1) - 1.0
    is_constant = (np.ptp(reference, axis=1) == 0) | (np.ptp(other, axis=1) == 0)
    return np.where(is_constant, np.nan, result)


def _signs_of_pairs(first: Floats, second: Floats) -> Iterator[tuple[slice, Signs, Signs]]:
    """Which of each two systems is ahead, (rankings, pairs) on both sides, some rows at once."""
    left, right = np.triu_indices(first.shape[1], 1)
    for rows in _chunks(len(first), len(left)):
        yield rows, _signs(first[rows], left, right), _signs(second[rows], left, right)


def _excess(first: Signs, second: Signs) -> NDArray[np.int64]:
    """Pairs that stand the same way round less those that do not."""
    result: NDArray[np.int64] = (first * second).sum(axis=1, dtype=np.int64)
    return result


def _doubled_places(scores: Floats) -> Floats:
    """Twice each score's distance from the middle place: those below it less those above."""
    places: Floats = np.sign(scores[:, :, np.newaxis] - scores[:, np.newaxis, :]).sum(axis=2)
    return places


def _signs(scores: Floats, left: NDArray[np.intp], right: NDArray[np.intp]) -> Signs:
    return np.sign(scores[:, left] - scores[:, right]).astype(np.int8)


def _reference_places(reference: Floats, other: Floats) -> NDArray[np.intp]:
    """The place in the reference of the first, second ... system of the other ranking."""
    place = np.argsort(np.argsort(-reference, axis=1, kind="stable"), axis=1)
    return np.take_along_axis(place, np.argsort(-other, axis=1, kind="stable"), axis=1)


def _chunks(rows: int, comparisons: int) -> Iterator[slice]:
    size = max(1, _CHUNK // max(1, comparisons))
    return (slice(start, start + size) for start in range(0, rows, size))
