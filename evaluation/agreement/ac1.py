"""Gwet's AC1: agreement beyond chance, steady where one grade is far more frequent than the others."""

import numpy as np

from evaluation.agreement.confusion import Table, Tables
from evaluation.agreement.kappa import NO_PAIR
from evaluation.agreement.ratios import Floats, ratio
from evaluation.agreement.value import Value, undefined, unless_nan

ONE_GRADE = "all grades are equal, so nothing shows whether the raters tell grades apart"


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
    return unless_nan(float(ac1s(counts)), ONE_GRADE)


def ac1s(tables: Tables) -> Floats:
    """AC1 of each table of (..., grades, grades), NaN where undefined."""
    n = tables.sum(axis=(-2, -1))
    share = ratio(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., np.newaxis])
    agreed = ratio(np.trace(tables, axis1=-2, axis2=-1), n)
    chance = (share * (1.0 - share)).sum(axis=-1) / (tables.shape[-1] - 1)
    is_one_grade = share.max(axis=-1) == 1.0
    return np.where(is_one_grade, np.nan, (agreed - chance) / (1.0 - chance))
