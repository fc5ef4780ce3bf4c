"""Cohen's kappa: agreement of two raters beyond what their habits alone would give."""

from typing import Literal

import numpy as np

from evaluation.agreement.confusion import Table
from evaluation.agreement.value import Value, undefined

Weights = Literal["unweighted", "linear", "quadratic"]


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
        return undefined("no pair was graded by both")
    if counts.max() == n and counts.trace() == n:
        return undefined("all grades are equal, so there is no agreement beyond chance to measure")
    return Value(_cohen(counts, None if weights == "unweighted" else weights))


def _cohen(counts: Table, weights: str | None) -> float:
    # scikit-learn takes a second to import and is not needed by who only scores runs.
    from sklearn.metrics import cohen_kappa_score

    places = np.arange(len(counts))
    first, second = (grid.ravel() for grid in np.meshgrid(places, places, indexing="ij"))
    return float(cohen_kappa_score(first, second, labels=places, weights=weights, sample_weight=counts.ravel()))
