"""The confusion table: how often one rater gave each grade where the other gave each grade."""

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades

Table = NDArray[np.int64]


def table(first: Grades, second: Grades, scale: range) -> Table:
    """Counts with the shape (grades, grades): rows are the grades of `first`, columns of `second`, rising.

    Raises ValueError for a grade that is not on the scale.

    >>> table(np.array([0, 1, 1]), np.array([0, 1, 2]), range(3)).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    """
    size = len(scale)
    cells = (first - scale.start) * size + (second - scale.start)
    for grades in (first, second):
        if len(grades) and not (scale.start <= grades.min() and grades.max() < scale.stop):
            raise ValueError(f"a grade is not on the scale {scale.start}-{scale.stop - 1}")
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def binarised(counts: Table, scale: range, relevant_from: int) -> Table:
    """The 2 x 2 table of nonrelevant and relevant, where a grade of at least `relevant_from` is relevant.

    >>> binarised(np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), range(3), 2).tolist()
    [[12, 9], [15, 9]]
    """
    edge = relevant_from - scale.start
    rows = [counts[:edge].sum(axis=0), counts[edge:].sum(axis=0)]
    return np.array([[row[:edge].sum(), row[edge:].sum()] for row in rows], dtype=np.int64)
