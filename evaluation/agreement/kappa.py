"""Cohen's kappa of two raters, and the table of their grades that it is computed from."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Floats, Value, ratio, undefined, unless_nan

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


Weights = Literal["unweighted", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = ("unweighted", "linear", "quadratic")

NO_PAIR = "no pair was graded by both"
ONE_GRADE_KAPPA = "all grades are equal, so there is no agreement beyond chance to measure"


def kappa(counts: Table, weights: Weights = "unweighted") -> Value:
    """Kappa of a confusion table over the whole scale; -1 to 1.

    With `linear` or `quadratic` weights a disagreement counts by the distance of the grades, so a grade
    that nobody used still has its place. Undefined without pairs, and if both raters gave one and the same
    grade to all. Computed by scikit-learn. Source: Cohen 1960, 1968.

    >>> kappa(np.array([[2, 1], [0, 1]]))
    Value(value=0.5, reason='')
    """
    n = int(counts.sum())
    if n == 0:
        return undefined(NO_PAIR)
    if counts.max() == n and counts.trace() == n:
        return undefined(ONE_GRADE_KAPPA)
    return Value(_cohen(counts, None if weights == "unweighted" else weights))


def kappas(tables: Tables | Floats, weights: Weights = "unweighted") -> Floats:
    """Kappa of each table of (..., grades, grades), NaN where undefined: for many tables, as resampling has.

    >>> kappas(np.array([[[2, 1], [0, 1]], [[3, 0], [0, 0]]])).tolist()
    [0.5, nan]
    """
    cost = _cost(tables.shape[-1], weights)
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", rows, cost, columns)
    observed = (tables * cost).sum(axis=(-2, -1)) * tables.sum(axis=(-2, -1))
    return 1.0 - ratio(observed, expected)


def _cost(size: int, weights: Weights) -> Floats:
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    return {"unweighted": np.sign(distance), "linear": distance, "quadratic": distance**2}[weights]


def _cohen(counts: Table, weights: str | None) -> float:
    # scikit-learn takes a second to import and is not needed by who only scores runs.
    from sklearn.metrics import cohen_kappa_score

    places = np.arange(len(counts))
    first, second = (grid.ravel() for grid in np.meshgrid(places, places, indexing="ij"))
    return float(cohen_kappa_score(first, second, labels=places, weights=weights, sample_weight=counts.ravel()))


ONE_GRADE_AC1 = "all grades are equal, so nothing shows whether the raters tell grades apart"


def ac1(counts: Table) -> Value:
    """AC1 of a confusion table over the whole scale; at most 1.

    Chance agreement is the sum of p (1 - p) over the grades, divided by their number less one, where p is
    the mean share of a grade over both raters. Undefined without pairs, and if both raters gave one and the
    same grade to all: the formula is 1 there, but nothing shows that they can tell grades apart. Source:
    Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, 2008.

    >>> round(ac1(np.array([[118, 5], [2, 0]])).number, 2)
    0.94
    """
    if not counts.any():
        return undefined(NO_PAIR)
    return unless_nan(float(ac1s(counts)), ONE_GRADE_AC1)


def ac1s(tables: Tables) -> Floats:
    """AC1 of each table of (..., grades, grades), NaN where undefined."""
    n = tables.sum(axis=(-2, -1))
    share = ratio(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., np.newaxis])
    agreed = ratio(np.trace(tables, axis1=-2, axis2=-1), n)
    chance = (share * (1.0 - share)).sum(axis=-1) / (tables.shape[-1] - 1)
    is_one_grade = share.max(axis=-1) == 1.0
    return np.where(is_one_grade, np.nan, (agreed - chance) / (1.0 - chance))


def share_equal(counts: Table) -> Value:
    """The share of the pairs to which both raters gave the same grade; 0 to 1, undefined without pairs.

    >>> share_equal(np.array([[2, 1], [0, 1]]))
    Value(value=0.75, reason='')
    """
    return unless_nan(float(shares_equal(counts)), NO_PAIR)


def mean_difference(counts: Table) -> Value:
    """The mean of (grade of the second rater - grade of the first): above 0, the second is more generous.

    >>> mean_difference(np.array([[2, 2], [0, 0]]))
    Value(value=0.5, reason='')
    """
    return unless_nan(float(mean_differences(counts)), NO_PAIR)


def shares_equal(tables: Tables | Floats) -> Floats:
    """The share of equal grades in each table of (..., grades, grades), NaN without pairs."""
    return ratio(np.trace(tables, axis1=-2, axis2=-1), tables.sum(axis=(-2, -1)))


def mean_differences(tables: Tables | Floats) -> Floats:
    """The signed mean difference in each table of (..., grades, grades), NaN without pairs."""
    places = np.arange(tables.shape[-1])
    difference = (tables * np.subtract.outer(-places, -places)).sum(axis=(-2, -1))
    return ratio(difference, tables.sum(axis=(-2, -1)))
