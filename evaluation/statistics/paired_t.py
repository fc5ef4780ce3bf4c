"""The paired t-test: is the mean difference of two systems larger than its spread over topics explains?"""

import numpy as np

from evaluation.agreement.ratios import Floats, ratio
from evaluation.statistics import score_matrix


def p_values(differences: Floats) -> Floats:
    """Two-sided p-values of differences (topics, tests); NaN where a test's are equal or fewer than two.

    Source: Student, The probable error of a mean, 1908.

    >>> p_values(np.array([[1.0, 0.5], [2.0, 0.5], [3.0, 0.5], [2.0, 0.5]])).round(4).tolist()
    [0.0163, nan]
    """
    topics, tests = differences.shape
    if topics < 2:
        return np.full(tests, np.nan)
    exact = score_matrix.rounded(differences)
    spread = exact.std(axis=0, ddof=1)
    spread[np.ptp(exact, axis=0) == 0] = 0.0
    t = ratio(np.abs(exact.mean(axis=0)), spread / np.sqrt(topics))
    # scipy takes half a second to import, and who starts the server or scores runs does not need it.
    from scipy import special

    found: Floats = 2.0 * special.stdtr(topics - 1, -t)
    return found
