"""Rank correlation of two orders: tau-b (the default), tau-a and gamma from pair counts, Spearman's rho, tau-AP."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.agreement.value import Floats, Value, ratio, undefined, unless_nan


@dataclass(frozen=True)
class PairCounts:
    """Of n things, the pairs that are concordant, discordant, tied in the first order, the second, both.

    A pair that is tied in both is also counted in `tied_first` and `tied_second`.
    """

    n: int
    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    tied_both: int

    @property
    def pairs(self) -> int:
        return self.n * (self.n - 1) // 2

    @property
    def excess(self) -> int:
        """Concordant less discordant."""
        return self.concordant - self.discordant


def count_table(table: NDArray[np.int64]) -> PairCounts:
    """The counts of two label vectors given by their contingency table, in O(rows * columns).

    Rows are the rising values of the first vector, columns of the second.

    >>> count_table(np.array([[2, 0], [1, 1]]))
    PairCounts(n=4, concordant=2, discordant=0, tied_first=2, tied_second=3, tied_both=1)
    """
    [counts] = count_tables(table[np.newaxis])
    return counts


def count_tables(tables: NDArray[np.int64]) -> list[PairCounts]:
    """The counts of each table of (n, rows, columns): for many small tables, as trials have."""
    # At i, j: how many things are lower in the first vector, and of these lower or higher in the second.
    below = np.cumsum(tables, axis=1) - tables
    left = np.cumsum(below, axis=2) - below
    right = below.sum(axis=2, keepdims=True) - below - left
    columns = (
        tables.sum(axis=(1, 2)),
        (tables * left).sum(axis=(1, 2)),
        (tables * right).sum(axis=(1, 2)),
        _pairs_within(tables.sum(axis=2)),
        _pairs_within(tables.sum(axis=1)),
        _pairs_within(tables.reshape(len(tables), -1)),
    )
    return [PairCounts(*row) for row in np.stack(columns, axis=-1).tolist()]


def count_scores(first: ArrayLike, second: ArrayLike) -> PairCounts:
    """The counts of two score vectors of equal length, exactly: equal scores tie, nothing else does.

    Takes space in O(distinct scores of the first * of the second): meant for systems, not for millions of
    things.

    >>> count_scores([0.1, 0.2, 0.2], [1.0, 2.0, 3.0])
    PairCounts(n=3, concordant=2, discordant=0, tied_first=1, tied_second=0, tied_both=0)
    """
    rows, row_of = np.unique(np.asarray(first), return_inverse=True)
    columns, column_of = np.unique(np.asarray(second), return_inverse=True)
    if len(row_of) != len(column_of):
        raise ValueError(f"{len(row_of)} scores cannot be compared with {len(column_of)}")
    cells = np.bincount(row_of * len(columns) + column_of, minlength=len(rows) * len(columns))
    return count_table(cells.reshape(len(rows), len(columns)))


def count_labels(first: NDArray[np.integer], second: NDArray[np.integer]) -> PairCounts:
    """The counts of two vectors of whole numbers from a narrow range, such as grades, in O(n).

    Takes space in O(range of the first * range of the second): a million grades take milliseconds.

    >>> count_labels(np.array([0, 1, 1]), np.array([3, 3, 5])) == count_scores([0, 1, 1], [3, 3, 5])
    True
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} labels cannot be compared with {len(second)}")
    if not len(first):
        return count_table(np.zeros((0, 0), dtype=np.int64))
    low_first, low_second = int(first.min()), int(second.min())
    rows, columns = int(first.max()) - low_first + 1, int(second.max()) - low_second + 1
    cells = first.astype(np.int64)
    cells *= columns
    cells += second.astype(np.int64, copy=False)
    cells -= low_first * columns + low_second
    return count_table(np.bincount(cells, minlength=rows * columns).reshape(rows, columns))


def _pairs_within(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pairs lie within groups of these sizes, (n, groups)."""
    result: NDArray[np.int64] = (sizes * (sizes - 1) // 2).sum(axis=1)
    return result


TOO_FEW = "fewer than two to compare"


def tau_a(counts: PairCounts) -> Value:
    """(Concordant - discordant) / all pairs; -1 to 1. A tie counts as no agreement. Source: Kendall 1938.

    >>> tau_a(PairCounts(n=4, concordant=4, discordant=1, tied_first=1, tied_second=0, tied_both=0))
    Value(value=0.5, reason='')
    """
    return Value(counts.excess / counts.pairs) if counts.pairs else undefined(TOO_FEW)


def tau_b(counts: PairCounts) -> Value:
    """(Concordant - discordant) / the geometric mean of the pairs untied in each order; -1 to 1.

    Undefined if one order ties everything. Source: Kendall 1945.

    >>> tau_b(PairCounts(n=4, concordant=4, discordant=0, tied_first=2, tied_second=2, tied_both=2))
    Value(value=1.0, reason='')
    """
    reason = _why_undefined(counts)
    if reason:
        return undefined(reason)
    untied_first, untied_second = counts.pairs - counts.tied_first, counts.pairs - counts.tied_second
    if untied_first == untied_second:
        return Value(counts.excess / untied_first)
    return Value(counts.excess / math.sqrt(untied_first * untied_second))


def gamma(counts: PairCounts) -> Value:
    """(Concordant - discordant) / (concordant + discordant), so ties are dropped; -1 to 1.

    Undefined if one order ties everything. Source: Goodman and Kruskal 1954.

    >>> gamma(PairCounts(n=4, concordant=3, discordant=1, tied_first=2, tied_second=0, tied_both=0))
    Value(value=0.5, reason='')
    """
    reason = _why_undefined(counts)
    return undefined(reason) if reason else recipe_gamma(counts)


def recipe_gamma(counts: PairCounts) -> Value:
    """Gamma as the recipe of arXiv:2405.04727 computes it: 0.0 where one order ties everything.

    Undefined for fewer than two things.
    """
    if not counts.pairs:
        return undefined(TOO_FEW)
    untied = counts.concordant + counts.discordant
    return Value(counts.excess / untied if untied else 0.0)


def all_equal(is_first: bool, is_second: bool) -> str:
    """The sentence for an order that ties everything; empty if neither does."""
    if is_first and is_second:
        return "all values of both are equal"
    if is_first or is_second:
        return f"all values of the {'first' if is_first else 'second'} are equal"
    return ""


def _why_undefined(counts: PairCounts) -> str:
    if not counts.pairs:
        return TOO_FEW
    return all_equal(counts.tied_first == counts.pairs, counts.tied_second == counts.pairs)


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
        return undefined(TOO_FEW)
    spread_a, spread_b = float(a @ a), float(b @ b)
    if not (spread_a and spread_b):
        return undefined(all_equal(not spread_a, not spread_b))
    scale = spread_a if spread_a == spread_b else math.sqrt(spread_a) * math.sqrt(spread_b)
    return Value(float(a @ b) / scale)


def spearman_of_tables(tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """The same of label vectors, given by their contingency tables of (..., values, values): rows are the rising
    values of the first. NaN where undefined.

    >>> spearman_of_tables(np.array([[[2, 0], [1, 1]], [[2, 0], [1, 0]]])).round(3).tolist()
    [0.577, nan]
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    a, b = _doubled_places_of(rows), _doubled_places_of(columns)
    together = np.einsum("...i,...ij,...j->...", a, tables, b)
    spread_a, spread_b = (rows * a**2).sum(axis=-1), (columns * b**2).sum(axis=-1)
    return ratio(together, np.where(spread_a == spread_b, spread_a, np.sqrt(spread_a) * np.sqrt(spread_b)))


def spearman_of_table(table: NDArray[np.int64]) -> Value:
    """The same of one table."""
    if table.sum() < 2:
        return undefined(TOO_FEW)
    are_equal = [bool(np.count_nonzero(table.sum(axis=axis)) == 1) for axis in (1, 0)]
    return unless_nan(float(spearman_of_tables(table)), all_equal(*are_equal))


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


def tau_ap(reference: Sequence[float], other: Sequence[float], names: Sequence[str]) -> Value:
    """How well `other` orders the systems that `reference` orders, by the scores and names of each; -1 to 1.

    Down the ranking of `other` from its second system, the share of the systems above that the reference
    also puts above, averaged and stretched to -1 ... 1. Not symmetric: the reference comes first. Tied
    systems stand in the order of their names. Undefined with fewer than two systems, and if all scores of
    one ranking are equal. Source: Yilmaz, Aslam and Robertson, SIGIR 2008.

    >>> tau_ap([5, 4, 3, 2, 1], [4, 5, 3, 2, 1], "ABCDE")
    Value(value=0.5, reason='')
    """
    if len(names) < 2:
        return undefined("fewer than two to compare")
    for scores, which in ((reference, "reference"), (other, "other ranking")):
        if len(set(scores)) == 1:
            return undefined(f"all scores of the {which} are equal")
    place = {system: rank for rank, system in enumerate(_ranking(reference, names))}
    places = [place[system] for system in _ranking(other, names)]
    shares = [sum(above < places[rank] for above in places[:rank]) / rank for rank in range(1, len(places))]
    return Value(2.0 * sum(shares) / len(shares) - 1.0)


def _ranking(scores: Sequence[float], names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=lambda system: (-scores[system], names[system]))


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
    """Spearman's correlation of each row with the same row of the other, as `spearman`; NaN where undefined.

    >>> spearmans(np.array([[0.1, 0.5, 0.3, 0.9]]), np.array([[1, 2, 3, 4]])).tolist()
    [0.8]
    """
    result = np.empty(len(first))
    for rows in _chunks(len(first), first.shape[1] ** 2):
        a, b = _many_doubled_places(first[rows]), _many_doubled_places(second[rows])
        spread_a, spread_b = (a * a).sum(axis=1), (b * b).sum(axis=1)
        spread = np.where(spread_a == spread_b, spread_a, np.sqrt(spread_a) * np.sqrt(spread_b))
        result[rows] = ratio((a * b).sum(axis=1), spread)
    return result


def tau_aps(reference: Floats, other: Floats, names: Sequence[str]) -> Floats:
    """tau-AP of each row of scores (rankings, systems) with the reference's; NaN where undefined.

    The value of `tau_ap`: tied systems stand in the order of their names.

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


def _many_doubled_places(scores: Floats) -> Floats:
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
