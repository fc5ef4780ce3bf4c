"""Pairing: which query-passage pairs several raters graded, and their grades side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
