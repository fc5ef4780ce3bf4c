"""Krippendorff's alpha: agreement of any number of raters, each of whom may have graded only a part."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Floats, Value, ratio, undefined

NO_COMMON_PAIR = "no pair was graded by two raters"

Counts = NDArray[np.int64]


def grade_counts(grades: Grades, scale: range) -> Counts:
    """How often each pair of (raters, pairs) was given each grade: (pairs, grades). Off the scale is missing."""
    columns = [np.count_nonzero(grades == grade, axis=0) for grade in scale]
    return np.stack(columns, axis=-1).astype(np.int64)


def coincidences_of_counts(counts: Counts) -> Floats:
    """The matrix of each row of grade counts: (..., grades) gives (..., grades, grades).

    All ordered couples of two raters' grades, each divided by the number of grades less one; a pair with
    fewer than two grades has none.

    >>> coincidences_of_counts(np.array([[1, 1], [3, 0], [0, 1]])).tolist()
    [[[0.0, 1.0], [1.0, 0.0]], [[3.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]
    """
    couples = counts[..., :, np.newaxis] * counts[..., np.newaxis, :]
    places = np.arange(counts.shape[-1])
    couples[..., places, places] -= counts
    others = np.maximum(counts.sum(axis=-1) - 1, 0)
    return np.nan_to_num(ratio(couples, others[..., np.newaxis, np.newaxis]))


def coincidences_of_tables(tables: NDArray[Any]) -> NDArray[Any]:
    """The matrix of two raters from their confusion table, or of several from the weighted one of their couples:
    each two grades count both ways round."""
    both_ways: NDArray[Any] = tables + np.swapaxes(tables, -2, -1)
    return both_ways


Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")

ONE_GRADE = "all grades are equal, so there is no disagreement to expect"


def alpha(grades: Grades, scale: range, level: Level = "ordinal") -> Value:
    """Alpha of grades with the shape (raters, pairs); what is not on the scale is missing; at most 1.

    Undefined with fewer than two raters, without a pair that two of them graded, and if those pairs hold
    one grade only. Computed by krippendorff over the whole scale. Source: Krippendorff, Computing
    alpha-reliability, 2011.

    >>> alpha(np.array([[0, 1, 2, 3], [0, 1, 2, -1]]), range(4))
    Value(value=1.0, reason='')
    """
    if len(grades) < 2:
        return undefined("fewer than two raters")
    counts = grade_counts(grades, scale)
    pairable = counts[counts.sum(axis=1) >= 2]
    if not len(pairable):
        return undefined(NO_COMMON_PAIR)
    if np.count_nonzero(pairable.sum(axis=0)) < 2:
        return undefined(ONE_GRADE)
    # krippendorff takes half a second to import and is not needed by who only scores runs.
    import krippendorff

    return Value(float(krippendorff.alpha(value_counts=pairable, value_domain=list(scale), level_of_measurement=level)))


def alphas(matrices: NDArray[Any], level: Level = "ordinal") -> Floats:
    """Alpha of each coincidence matrix of (..., grades, grades), NaN where undefined.

    The same value as `alpha`, for many matrices at once, as resampling has.

    >>> alphas(np.array([[[4, 0], [0, 4]], [[4, 2], [2, 0]], [[4, 0], [0, 0]]])).round(3).tolist()
    [1.0, -0.167, nan]
    """
    totals = matrices.sum(axis=-1)
    cost = _squared_distances(totals, level)
    observed = (matrices * cost).sum(axis=(-2, -1)) * (totals.sum(axis=-1) - 1)
    expected = (totals[..., :, np.newaxis] * totals[..., np.newaxis, :] * cost).sum(axis=(-2, -1))
    return 1.0 - ratio(observed, expected)


def _squared_distances(totals: NDArray[Any], level: Level) -> NDArray[Any]:
    """Of each two grades; ordinal ones lie as far apart as there are grades given between their middles."""
    size = totals.shape[-1]
    if level == "nominal":
        return 1.0 - np.eye(size)
    places = np.cumsum(totals, axis=-1) - totals / 2 if level == "ordinal" else np.arange(size)
    return (places[..., :, np.newaxis] - places[..., np.newaxis, :]) ** 2
