"""Pairing: which query-passage pairs several raters graded, their grades side by side, by couples, against others."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.value import Floats

MISSING = -1

Pair = tuple[str, str]
Grades = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Paired:
    """The grades of two raters for the pairs that both graded, in the order of the pairs.

    `first` and `second` have the shape (n,). `only_first` and `only_second` count the pairs that one alone
    graded.
    """

    pairs: tuple[Pair, ...]
    first: Grades
    second: Grades
    only_first: int
    only_second: int

    @property
    def n(self) -> int:
        return len(self.pairs)


def grades_by_pair(qrels: Mapping[str, Mapping[str, int]]) -> dict[Pair, int]:
    """The grades of a rater by (query_id, passage_id). Negative grades are no grades and are left out."""
    return {
        (query_id, passage_id): grade
        for query_id, grades in qrels.items()
        for passage_id, grade in grades.items()
        if grade >= 0
    }


def pair(first: Mapping[Pair, int], second: Mapping[Pair, int]) -> Paired:
    """The pairs that both raters graded.

    >>> paired = pair({("q", "a"): 3, ("q", "b"): 0}, {("q", "b"): 1, ("q", "c"): 2})
    >>> paired.pairs, paired.first.tolist(), paired.second.tolist(), paired.only_first, paired.only_second
    ((('q', 'b'),), [0], [1], 1, 1)
    """
    both = tuple(sorted(first.keys() & second.keys()))
    return Paired(
        pairs=both,
        first=np.array([first[key] for key in both], dtype=np.int64),
        second=np.array([second[key] for key in both], dtype=np.int64),
        only_first=len(first) - len(both),
        only_second=len(second) - len(both),
    )


def side_by_side(raters: Sequence[Mapping[Pair, int]]) -> tuple[tuple[Pair, ...], Grades]:
    """All pairs that any rater graded, in order, and the grades (raters, pairs), MISSING where none.

    >>> side_by_side([{("q", "a"): 3}, {("q", "a"): 2, ("q", "b"): 1}])[1].tolist()
    [[3, -1], [2, 1]]
    """
    pairs = tuple(sorted(set().union(*raters)))
    rows = [[rater.get(key, MISSING) for key in pairs] for rater in raters]
    return pairs, np.array(rows, dtype=np.int64).reshape(len(raters), len(pairs))


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


def list_couples(raters: Sequence[Mapping[Pair, int]]) -> Couples:
    """Every two grades of one pair. `first` is the grade of whoever stands first among the raters, so of two
    raters the couples are their grades side by side.

    >>> found = list_couples([{("q", "a"): 3, ("q", "b"): 0}, {("q", "a"): 2}, {("q", "a"): 1}])
    >>> found.first.tolist(), found.second.tolist(), found.weight.tolist(), found.n, found.alone
    ([3, 3, 2], [2, 1, 1], [0.5, 0.5, 0.5], 1, 1)
    """
    given: dict[Pair, list[int]] = defaultdict(list)
    for rater in raters:
        for pair, grade in rater.items():
            given[pair].append(grade)
    result = [
        (pair, *two, 1 / (len(given[pair]) - 1), not place)
        for pair in sorted(given)
        for place, two in enumerate(combinations(given[pair], 2))
    ]
    pairs, first, second, weight, is_new = zip(*result, strict=True) if result else ((), (), (), (), ())
    return Couples(
        pairs=pairs,
        first=np.array(first, dtype=np.int64),
        second=np.array(second, dtype=np.int64),
        weight=np.array(weight, dtype=np.float64),
        is_new=np.array(is_new, dtype=np.bool_),
        alone=sum(len(grades) == 1 for grades in given.values()),
    )


Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AgainstOthers:
    """Couples of grades by their places among all that were given, (couples,): each grade as `own` with every `other`
    of its pair. `weight` is 1 over the number of others, so that a grade counts once however many stand against it.
    """

    own: Places
    other: Places
    weight: Floats


def compare_with_others(pair: Places) -> AgainstOthers:
    """`pair` has the number of the pair of each grade; a rater gave a pair one grade at most.

    >>> found = compare_with_others(np.array([7, 5, 7, 7]))
    >>> sorted(zip(found.own.tolist(), found.other.tolist(), found.weight.tolist()))
    [(0, 2, 0.5), (0, 3, 0.5), (2, 0, 0.5), (2, 3, 0.5), (3, 0, 0.5), (3, 2, 0.5)]
    """
    order = np.argsort(pair, kind="stable")
    rising = pair[order]
    former, latter = [order[:0]], [order[:0]]
    apart = 1
    # The grades of one pair stand side by side: those one apart, then those two apart, until no pair has so many.
    while len(same := np.flatnonzero(rising[apart:] == rising[:-apart])):
        former.append(order[same])
        latter.append(order[same + apart])
        apart += 1
    own, other = np.concatenate([*former, *latter]), np.concatenate([*latter, *former])
    return AgainstOthers(own, other, 1 / np.bincount(own, minlength=len(pair))[own])
