"""Agreement of two raters from their confusion table: percent, Cohen's kappa, Gwet's AC1."""

from typing import Literal

import numpy as np

from evaluation.agreement.confusion import Table, Tables
from evaluation.agreement.value import Floats, Value, ratio, undefined, unless_nan

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
