"""Unjudged passages: what can be done about the holes of a ranking, and what they leave open."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import EMPTY, UNJUDGED, Floats, GradeMatrix

BOUNDS = "bounds"
SENSITIVITY_RANGE = "sensitivity range"
NO_RANGE = "the measure looks at no hole, or says itself what the holes leave open"


@dataclass(frozen=True, eq=False)
class Range:
    """A measure where every hole that it looks at has grade 0, and where every one has the highest; (..., topic).

    As BOUNDS, `at_lowest` <= the value <= `at_highest` whatever the grades of the holes are. A SENSITIVITY_RANGE
    is no bound: the holes change what the measure divides by as well, so that the value may lie outside, and
    `at_highest` below `at_lowest`.
    """

    name: str
    at_lowest: Floats
    at_highest: Floats


RangeOf = Callable[..., Range | None]


def bounds(compute: Callable[..., Floats]) -> RangeOf:
    """The range of a measure that never falls when a hole gets a higher grade."""
    return partial(_range_of, BOUNDS, compute)


def sensitivity_range(compute: Callable[..., Floats]) -> RangeOf:
    """The range of a measure that divides by what the judged passages hold."""
    return partial(_range_of, SENSITIVITY_RANGE, compute)


def condensed(matrix: GradeMatrix, cutoff: int | None = None) -> GradeMatrix:
    """The matrix with everything that is not judged taken out and the rest moved up (Sakai, SIGIR 2007).

    Only the first `cutoff` ranks of what is left, where a cut-off is given.

    >>> condensed(grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 2}])).grades.tolist()
    [[2, 3, -3]]
    """
    is_in = matrix.grades >= 0
    place = np.cumsum(is_in, axis=-1, dtype=np.int32) - 1
    width = matrix.grades.shape[-1] if cutoff is None else min(cutoff, matrix.grades.shape[-1])
    cells = np.nonzero(is_in & (place < width))
    moved_cells: tuple[Any, ...] = (*cells[:-1], place[cells])
    moved = np.full((*matrix.grades.shape[:-1], width), EMPTY, dtype=matrix.grades.dtype)
    moved[moved_cells] = matrix.grades[cells]
    return replace(matrix, grades=moved)


def filled(matrix: GradeMatrix, grade: int, cutoff: int | None = None) -> GradeMatrix:
    """The matrix cut off, with `grade` in its holes. They count as judged then, and enter the ideal.

    >>> found = filled(grade_matrix.build([["d1", "u1", "u2"]], [{"d1": 1, "d9": 2}]), 3, cutoff=2)
    >>> found.grades.tolist(), found.judged.tolist()
    ([[1, 3]], [[3, 2, 1, -3]])
    """
    seen = grade_matrix.cut(matrix.grades, cutoff)
    is_hole = seen == UNJUDGED
    known = np.broadcast_to(matrix.judged, (*seen.shape[:-1], matrix.judged.shape[-1]))
    new = np.where(is_hole, np.int16(grade), np.int16(EMPTY))
    judged = -np.sort(-np.concatenate([known, new], axis=-1), axis=-1)
    return replace(matrix, grades=np.where(is_hole, np.int16(grade), seen), judged=judged)


def _range_of(name: str, compute: Callable[..., Floats], matrix: GradeMatrix, **arguments: Any) -> Range:
    cutoff = arguments.get("cutoff")
    at_lowest, at_highest = (compute(filled(matrix, grade, cutoff), **arguments) for grade in (0, matrix.highest))
    return Range(name, at_lowest, at_highest)
