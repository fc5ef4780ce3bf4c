"""Percent agreement: never shown alone, since a rater who always says 0 reaches 90 % where 90 % are 0."""

from evaluation.agreement.confusion import Table
from evaluation.agreement.value import Value, undefined


def share_equal(counts: Table) -> Value:
    """The share of the pairs to which both raters gave the same grade; 0 to 1, undefined without pairs.

    >>> import numpy as np
    >>> share_equal(np.array([[2, 1], [0, 1]]))
    Value(value=0.75, reason='')
    """
    n = int(counts.sum())
    return Value(int(counts.trace()) / n) if n else undefined("no pair was graded by both")


def mean_difference(counts: Table) -> Value:
    """The mean of (grade of the second rater - grade of the first): above 0, the second is more generous.

    >>> import numpy as np
    >>> mean_difference(np.array([[2, 2], [0, 0]]))
    Value(value=0.5, reason='')
    """
    n = int(counts.sum())
    if not n:
        return undefined("no pair was graded by both")
    difference = sum(
        (column - row) * int(count) for row, line in enumerate(counts) for column, count in enumerate(line)
    )
    return Value(difference / n)
