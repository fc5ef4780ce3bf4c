"""Couples: of several raters every two grades of one pair, which is how people agree among themselves."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.pairing import Grades, Pair


@dataclass(frozen=True, eq=False)
class Couples:
    """The pair and the two grades of each couple; all arrays have the shape (couples,).

    A pair with m grades stands m (m - 1) / 2 times, in a row, and each time has the `weight` 1 / (m - 1), as
    Krippendorff counts it. `is_new` is true where a pair stands for the first time. `alone` pairs in all were
    graded by one rater only.
    """

    pairs: tuple[Pair, ...]
    first: Grades
    second: Grades
    weight: NDArray[np.float64]
    is_new: NDArray[np.bool_]
    alone: int

    @property
    def n(self) -> int:
        """How many pairs two raters or more graded."""
        return int(self.is_new.sum())

    def within(self, pairs: Container[Pair]) -> "Couples":
        """Those of the given pairs alone."""
        chosen = np.array([pair in pairs for pair in self.pairs], dtype=np.bool_)
        return Couples(
            pairs=tuple(compress(self.pairs, chosen)),
            first=self.first[chosen],
            second=self.second[chosen],
            weight=self.weight[chosen],
            is_new=self.is_new[chosen],
            alone=self.alone,
        )


def of(raters: Sequence[Mapping[Pair, int]]) -> Couples:
    """Every two grades of one pair. `first` is the grade of whoever stands first among the raters, so of two
    raters the couples are their grades side by side.

    >>> found = of([{("q", "a"): 3, ("q", "b"): 0}, {("q", "a"): 2}, {("q", "a"): 1}])
    >>> found.first.tolist(), found.second.tolist(), found.weight.tolist(), found.n, found.alone
    ([3, 3, 2], [2, 1, 1], [0.5, 0.5, 0.5], 1, 1)
    """
    given: dict[Pair, list[int]] = defaultdict(list)
    for rater in raters:
        for pair, grade in rater.items():
            given[pair].append(grade)
    found = [
        (pair, *two, 1 / (len(given[pair]) - 1), not place)
        for pair in sorted(given)
        for place, two in enumerate(combinations(given[pair], 2))
    ]
    pairs, first, second, weight, is_new = zip(*found, strict=True) if found else ((), (), (), (), ())
    return Couples(
        pairs=pairs,
        first=np.array(first, dtype=np.int64),
        second=np.array(second, dtype=np.int64),
        weight=np.array(weight, dtype=np.float64),
        is_new=np.array(is_new, dtype=np.bool_),
        alone=sum(len(grades) == 1 for grades in given.values()),
    )
