"""Cohen's kappa: agreement of two raters beyond what their habits alone would give."""

from typing import Literal

import numpy as np

from evaluation.agreement.confusion import Table, Tables
from evaluation.agreement.ratios import Floats, ratio
from evaluation.agreement.value import Value, undefined

Weights = Literal["unweighted", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = ("unweighted", "linear", "quadratic")

NO_PAIR = "no pair was graded by both"
ONE_GRADE = "all grades are equal, so there is no agreement beyond chance to measure"


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
        return undefined(ONE_GRADE)
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
