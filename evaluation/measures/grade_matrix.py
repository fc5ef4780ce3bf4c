"""The grade matrix: the grades that stand at the ranks of rankings, beside what the topics hold in all.

Every measure reads this and nothing else, so the same function scores one run and a sweep over systems,
fractions and trials in which only the grades change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

UNJUDGED = -1
JUNK = -2
EMPTY = -3

Grades = NDArray[np.int16]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class GradeOffScale(ValueError):
    """A grade is above the highest grade of the scale."""


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """Grades at ranks, for any leading axes.

    `grades` has the shape (..., topic, rank). A cell is the grade of the passage at that rank (0 to
    `highest`) or UNJUDGED (a hole), JUNK (looked at, worthless, not a grade) or EMPTY (the ranking has
    ended). `judged` has a shape that broadcasts to (..., topic, n): all grades of each topic, falling,
    filled up with EMPTY. The ideal of nDCG and the number of relevant passages come from it, never from
    what was retrieved.
    """

    grades: Grades
    judged: Grades
    highest: int

    def relevant(self, rel: int) -> Flags:
        """True at the ranks whose passage has at least grade `rel`; (..., topic, rank)."""
        return self.grades >= rel

    def n_relevant(self, rel: int) -> NDArray[np.int64]:
        """The number of judged passages of each topic with at least grade `rel`; (..., topic)."""
        return np.asarray(np.count_nonzero(self.judged >= rel, axis=-1))

    def n_judged(self) -> NDArray[np.int64]:
        """The number of judged passages of each topic; (..., topic)."""
        return np.asarray(np.count_nonzero(self.judged >= 0, axis=-1))


def build(rankings: Sequence[Sequence[str]], judged: Sequence[Mapping[str, int]], *, highest: int = 3) -> GradeMatrix:
    """The matrix of one run: `rankings[t]` holds the passages of topic t, best first, `judged[t]` its grades.

    Grade -1 (pooled but unjudged) is a hole; grades below -1 are junk. Raises GradeOffScale for a grade above
    `highest`.

    >>> matrix = build([["d2", "u1", "d1"], ["d1"]], [{"d1": 3, "d2": 2, "d5": 3}, {"d1": -2, "d2": 0}])
    >>> matrix.grades.tolist()
    [[2, -1, 3], [-2, -3, -3]]
    >>> matrix.judged.tolist()
    [[3, 3, 2], [0, -3, -3]]
    """
    found = [
        [max(grades.get(passage_id, UNJUDGED), JUNK) for passage_id in ranking]
        for ranking, grades in zip(rankings, judged, strict=True)
    ]
    ideal = [sorted((g for g in grades.values() if g >= 0), reverse=True) for grades in judged]
    top = max((grades[0] for grades in ideal if grades), default=0)
    if top > highest:
        raise GradeOffScale(f"grade {top} is above {highest}, the highest grade of the scale")
    return GradeMatrix(_rectangle(found), _rectangle(ideal), highest)


def cut(grades: Grades, cutoff: int | None) -> Grades:
    """The first `cutoff` ranks, or all of them without a cut-off."""
    return grades if cutoff is None else grades[..., :cutoff]


def condensed(matrix: GradeMatrix) -> GradeMatrix:
    """The matrix with everything that is not judged taken out and the rest moved up (Sakai, SIGIR 2007).

    >>> condensed(build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 2}])).grades.tolist()
    [[2, 3, -3]]
    """
    is_out = matrix.grades < 0
    order = np.argsort(is_out, axis=-1, kind="stable")
    moved = np.take_along_axis(np.where(is_out, np.int16(EMPTY), matrix.grades), order, axis=-1)
    return replace(matrix, grades=moved)


def binarised(matrix: GradeMatrix, rel: int | None) -> GradeMatrix:
    """The matrix on the scale 0-1: 1 from grade `rel` on. Holes, junk and ends stay. None leaves it as it is.

    >>> binarised(build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1}]), 2).grades.tolist()
    [[0, -1, 1]]
    """
    if rel is None:
        return matrix
    return GradeMatrix(_split(matrix.grades, rel), _split(matrix.judged, rel), highest=1)


def _split(grades: Grades, rel: int) -> Grades:
    return np.where(grades < 0, grades, grades >= rel).astype(np.int16)


def _rectangle(rows: Sequence[Sequence[int]]) -> Grades:
    width = max(map(len, rows), default=0)
    filled = np.full((len(rows), width), EMPTY, dtype=np.int16)
    for row, grades in zip(filled, rows, strict=True):
        row[: len(grades)] = grades
    return filled
