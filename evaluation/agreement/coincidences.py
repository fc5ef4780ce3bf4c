"""The coincidence matrix: all that Krippendorff's alpha needs to know, and it adds up over pairs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades
from evaluation.agreement.ratios import Floats, ratio

Counts = NDArray[np.int64]


def grade_counts(grades: Grades, scale: range) -> Counts:
    """How often each pair of (raters, pairs) was given each grade: (pairs, grades). Off the scale is missing."""
    columns = [np.count_nonzero(grades == grade, axis=0) for grade in scale]
    return np.stack(columns, axis=-1).astype(np.int64)


def of_counts(counts: Counts) -> Floats:
    """The matrix of each row of grade counts: (..., grades) gives (..., grades, grades).

    All ordered couples of two raters' grades, each divided by the number of grades less one; a pair with
    fewer than two grades has none.

    >>> of_counts(np.array([[1, 1], [3, 0], [0, 1]])).tolist()
    [[[0.0, 1.0], [1.0, 0.0]], [[3.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]
    """
    couples = counts[..., :, np.newaxis] * counts[..., np.newaxis, :]
    places = np.arange(counts.shape[-1])
    couples[..., places, places] -= counts
    others = np.maximum(counts.sum(axis=-1) - 1, 0)
    return np.nan_to_num(ratio(couples, others[..., np.newaxis, np.newaxis]))


def of_tables(tables: NDArray[Any]) -> NDArray[Any]:
    """The matrix of two raters from their confusion table, or of several from the weighted one of their couples:
    each two grades count both ways round."""
    both_ways: NDArray[Any] = tables + np.swapaxes(tables, -2, -1)
    return both_ways
