"""Pair counts: how many pairs two orders put the same way round, opposite ways, or tie."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


def of_table(table: NDArray[np.int64]) -> PairCounts:
    """The counts of two label vectors given by their contingency table, in O(rows * columns).

    Rows are the rising values of the first vector, columns of the second.

    >>> of_table(np.array([[2, 0], [1, 1]]))
    PairCounts(n=4, concordant=2, discordant=0, tied_first=2, tied_second=3, tied_both=1)
    """
    [counts] = of_tables(table[np.newaxis])
    return counts


def of_tables(tables: NDArray[np.int64]) -> list[PairCounts]:
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


def of_scores(first: ArrayLike, second: ArrayLike) -> PairCounts:
    """The counts of two score vectors of equal length, exactly: equal scores tie, nothing else does.

    Takes space in O(distinct scores of the first * of the second): meant for systems, not for millions of
    things.

    >>> of_scores([0.1, 0.2, 0.2], [1.0, 2.0, 3.0])
    PairCounts(n=3, concordant=2, discordant=0, tied_first=1, tied_second=0, tied_both=0)
    """
    rows, row_of = np.unique(np.asarray(first), return_inverse=True)
    columns, column_of = np.unique(np.asarray(second), return_inverse=True)
    if len(row_of) != len(column_of):
        raise ValueError(f"{len(row_of)} scores cannot be compared with {len(column_of)}")
    cells = np.bincount(row_of * len(columns) + column_of, minlength=len(rows) * len(columns))
    return of_table(cells.reshape(len(rows), len(columns)))


def of_labels(first: NDArray[np.integer], second: NDArray[np.integer]) -> PairCounts:
    """The counts of two vectors of whole numbers from a narrow range, such as grades, in O(n).

    Takes space in O(range of the first * range of the second): a million grades take milliseconds.

    >>> of_labels(np.array([0, 1, 1]), np.array([3, 3, 5])) == of_scores([0, 1, 1], [3, 3, 5])
    True
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} labels cannot be compared with {len(second)}")
    if not len(first):
        return of_table(np.zeros((0, 0), dtype=np.int64))
    low_first, low_second = int(first.min()), int(second.min())
    rows, columns = int(first.max()) - low_first + 1, int(second.max()) - low_second + 1
    cells = first.astype(np.int64)
    cells *= columns
    cells += second.astype(np.int64, copy=False)
    cells -= low_first * columns + low_second
    return of_table(np.bincount(cells, minlength=rows * columns).reshape(rows, columns))


def _pairs_within(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pairs lie within groups of these sizes, (n, groups)."""
    found: NDArray[np.int64] = (sizes * (sizes - 1) // 2).sum(axis=1)
    return found
