"""Krippendorff's alpha: agreement of any number of raters, each of whom may have graded only a part."""

from typing import Literal

import numpy as np

from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Value, undefined

Level = Literal["nominal", "ordinal", "interval"]


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
    counts = (grades[:, :, np.newaxis] == np.array(scale)).sum(axis=0)
    pairable = counts[counts.sum(axis=1) >= 2]
    if not len(pairable):
        return undefined("no pair was graded by two raters")
    if np.count_nonzero(pairable.sum(axis=0)) < 2:
        return undefined("all grades are equal, so there is no disagreement to expect")
    # krippendorff takes half a second to import and is not needed by who only scores runs.
    import krippendorff

    return Value(float(krippendorff.alpha(value_counts=pairable, value_domain=list(scale), level_of_measurement=level)))
