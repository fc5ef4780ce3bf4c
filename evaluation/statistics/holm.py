"""Holm's correction: p-values of a family of tests, so that one false finding in all is as rare as said."""

import numpy as np

from evaluation.agreement.ratios import Floats


def adjusted(p_values: Floats) -> Floats:
    """The p-values, each times the number of those not smaller, never falling, at most 1; NaN is no test.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

    >>> adjusted(np.array([0.04, 0.01, np.nan, 0.03])).round(3).tolist()
    [0.06, 0.03, nan, 0.06]
    """
    found = np.full(len(p_values), np.nan)
    tests = np.flatnonzero(~np.isnan(p_values))
    rising = tests[np.argsort(p_values[tests], kind="stable")]
    times = np.arange(len(rising), 0, -1)
    found[rising] = np.minimum(np.maximum.accumulate(p_values[rising] * times), 1.0)
    return found
