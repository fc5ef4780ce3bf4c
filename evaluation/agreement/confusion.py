"""The confusion table: how often one rater gave each grade where the other gave each grade."""

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Floats

Table = NDArray[np.int64]
Tables = NDArray[np.int64]


def table(first: Grades, second: Grades, scale: range) -> Table:
    """Counts with the shape (grades, grades): rows are the grades of `first`, columns of `second`, rising.

    Raises ValueError for a grade that is not on the scale.

    >>> table(np.array([0, 1, 1]), np.array([0, 1, 2]), range(3)).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    """
    counts: Table = tables(first, second, np.zeros(len(first), dtype=np.int64), 1, scale)[0]
    return counts


def tables(first: Grades, second: Grades, group: NDArray[np.int64], groups: int, scale: range) -> Tables:
    """A table for each of the groups, (groups, grades, grades); `group` has the number of each pair's group.

    Raises ValueError for a grade that is not on the scale.
    """
    size = len(scale)
    cells = _cells(first, second, group, scale)
    return np.bincount(cells, minlength=groups * size * size).reshape(groups, size, size)


def weighted_tables(
    first: Grades, second: Grades, group: NDArray[np.int64], groups: int, scale: range, weights: Floats
) -> Floats:
    """The same with each two grades counted by their weight rather than once."""
    size = len(scale)
    cells = _cells(first, second, group, scale)
    # Without a single weight bincount would answer with whole numbers.
    counts: Floats = np.bincount(cells, weights, minlength=groups * size * size).astype(np.float64)
    return counts.reshape(groups, size, size)


def binarised(counts: Tables, scale: range, relevant_from: int) -> Tables:
    """The 2 x 2 table of nonrelevant and relevant, where a grade of at least `relevant_from` is relevant.

    Any axes may stand before the two of the table.

    >>> binarised(np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), range(3), 2).tolist()
    [[12, 9], [15, 9]]
    """
    edges = [0, relevant_from - scale.start]
    return np.add.reduceat(np.add.reduceat(counts, edges, axis=-2), edges, axis=-1)


def _cells(first: Grades, second: Grades, group: NDArray[np.int64], scale: range) -> NDArray[np.int64]:
    """The number of each two grades' cell, counted through all tables."""
    for grades in (first, second):
        if len(grades) and not (scale.start <= grades.min() and grades.max() < scale.stop):
            raise ValueError(f"a grade is not on the scale {scale.start}-{scale.stop - 1}")
    size = len(scale)
    return (group * size + first - scale.start) * size + second - scale.start
