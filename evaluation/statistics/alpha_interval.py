"""Intervals of Krippendorff's alpha among any number of raters, some of whose grades may be missing."""

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import alpha, coincidences
from evaluation.agreement.alpha import Level
from evaluation.agreement.coincidences import Counts
from evaluation.agreement.pairing import Grades
from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import Interval, Resampling


def interval(
    grades: Grades,
    topics: NDArray[np.int64],
    scale: range,
    level: Level = "ordinal",
    how: Resampling = bootstrap.USUAL,
) -> Interval:
    """The interval of alpha of grades (raters, pairs), where `topics` has the number of each pair's topic.

    Drawn from are the topics, or the pairs, that have a pair which two raters graded. Pairs with the same
    grades, whoever gave them, are one pattern: over pairs the counts of patterns are multinomial.

    >>> grades = np.array([[0, 1, 2, 3, 0, 1], [0, 1, 2, 2, 1, 1]])
    >>> interval(grades, np.array([0, 0, 0, 1, 1, 1]), range(4)).n
    2
    """
    counts = coincidences.grade_counts(grades, scale)
    is_pairable = counts.sum(axis=1) >= 2
    patterns, pattern = _patterns(counts[is_pairable], len(grades))
    matrices = coincidences.of_counts(patterns)
    if how.over == "pairs":
        copies = np.bincount(pattern, minlength=len(patterns))
        resampled = bootstrap.totals(matrices, how, copies)
        return bootstrap.percentiles(alpha.alphas(resampled, level), len(pattern), how)
    by_topic = _pattern_counts(topics[is_pairable], pattern, len(patterns))
    rows = np.tensordot(by_topic, matrices, axes=1)
    return bootstrap.percentiles(alpha.alphas(bootstrap.totals(rows, how), level), len(rows), how)


def _patterns(counts: Counts, raters: int) -> tuple[Counts, NDArray[np.int64]]:
    """The different rows of grade counts, and for each row which one it is."""
    code = np.zeros(len(counts), dtype=np.int64)
    for column in counts.T:
        # Numbered anew after each grade, the code stays below pairs * raters and never overflows.
        _, code = np.unique(code * (raters + 1) + column, return_inverse=True)
    _, where = np.unique(code, return_index=True)
    return counts[where], code


def _pattern_counts(topics: NDArray[np.int64], pattern: NDArray[np.int64], patterns: int) -> Counts:
    """How many pairs of each pattern each topic has: (topics that have any, patterns)."""
    present, topic = np.unique(topics, return_inverse=True)
    cells = np.bincount(topic * patterns + pattern, minlength=len(present) * patterns)
    return cells.reshape(len(present), patterns)
