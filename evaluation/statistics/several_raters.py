"""Several raters together: Krippendorff's alpha of any number of them, each of whom may have graded only a part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import alpha, pairing
from evaluation.agreement.pairing import Grades, Pair
from evaluation.agreement.value import Value
from evaluation.statistics import alpha_interval, bootstrap
from evaluation.statistics.bootstrap import Interval, Resampling


@dataclass(frozen=True)
class SeveralRaters:
    """Agreement on the `n` pairs that two of the `raters` or more graded; `alone` more were graded by one of them.

    `complete` of the n were graded by all. `alpha` has the keys nominal, ordinal and interval.
    """

    raters: int
    n: int
    alone: int
    complete: int
    alpha: dict[str, Value]


def compare(given: Sequence[Mapping[Pair, int]], scale: range) -> SeveralRaters:
    """The agreement of all raters together; a pair that a rater did not grade is missing of him.

    >>> found = compare([{("q", "a"): 0, ("q", "b"): 1}, {("q", "a"): 0, ("q", "b"): 1}, {("q", "a"): 0}], range(2))
    >>> found.n, found.complete, found.alpha["nominal"].value
    (2, 1, 1.0)
    """
    grades = pairing.side_by_side(given)[1]
    times = (grades >= 0).sum(axis=0)
    return SeveralRaters(
        raters=len(given),
        n=int((times >= 2).sum()),
        alone=int((times == 1).sum()),
        complete=int((times == len(given)).sum()) if len(given) > 1 else 0,
        alpha={level: alpha.alpha(grades, scale, level) for level in alpha.LEVELS},
    )


def intervals(
    given: Sequence[Mapping[Pair, int]], scale: range, how: Resampling = bootstrap.USUAL
) -> dict[str, Interval]:
    """The intervals of `SeveralRaters.alpha`, over the topics or the pairs that two raters or more graded."""
    grades, topics = _grades(given)
    return {level: alpha_interval.interval(grades, topics, scale, level, how) for level in alpha.LEVELS}


def _grades(given: Sequence[Mapping[Pair, int]]) -> tuple[Grades, NDArray[np.int64]]:
    """The grades side by side, and the number of each pair's topic."""
    pairs, grades = pairing.side_by_side(given)
    _, topics = np.unique([query_id for query_id, _ in pairs], return_inverse=True)
    return grades, topics.astype(np.int64)
