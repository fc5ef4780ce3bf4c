"""Percent agreement: never shown alone, since a rater who always says 0 reaches 90 % where 90 % are 0."""

import numpy as np

from evaluation.agreement.confusion import Table, Tables
from evaluation.agreement.kappa import NO_PAIR
from evaluation.agreement.ratios import Floats, ratio
from evaluation.agreement.value import Value, unless_nan


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
