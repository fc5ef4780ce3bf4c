"""RBP: rank-biased precision, with its residual."""

from typing import Any

import numpy as np

from evaluation.measures import gains, grade_matrix, unjudged
from evaluation.measures.definition import Cutoff, Definition, one_of, probability, threshold
from evaluation.measures.grade_matrix import EMPTY, UNJUDGED, Floats, GradeMatrix
from evaluation.measures.unjudged import Range


def rbp(
    matrix: GradeMatrix, *, p: float = 0.8, rel: int | None = None, part: str = "base", cutoff: int | None = None
) -> Floats:
    """The rate of gain of a reader who goes on with probability p: what is known of it, or what is not.

    `part=base` is the known part, `part=residual` the unknown one: base and base + residual
    bound the value, whatever the holes and the tail below the last rank (or the cut-off) hold. A passage is
    worth its grade over the highest of the scale (with `rel`: 0 or 1). Both parts are 0 to 1, (..., topic).
    Source: Moffat and Zobel, ACM TOIS 27(1), 2008.

    >>> matrix = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 3}])
    >>> rbp(matrix, p=0.5).tolist(), rbp(matrix, p=0.5, part="residual").tolist()
    ([0.625], [0.375])
    """
    if part == "residual":
        return _residual(matrix, p, cutoff)
    worth = gains.gain_table("linear", matrix.highest, rel)
    result = matrix.gains(worth / (matrix.highest if rel is None else 1), cutoff)
    base: Floats = (result * _weights(p, result.shape[-1])).sum(axis=-1)
    return base


def bounds(matrix: GradeMatrix, *, part: str = "base", **reader: Any) -> Range | None:
    """Base and base + residual, which holds the tail too; the residual itself has no range."""
    if part == "residual":
        return None
    base = rbp(matrix, **reader)
    return Range(unjudged.BOUNDS, base, base + rbp(matrix, part="residual", **reader))


def _residual(matrix: GradeMatrix, p: float, cutoff: int | None) -> Floats:
    grades = grade_matrix.cut(matrix.grades, cutoff)
    is_known = (grades != UNJUDGED) & (grades != EMPTY)
    unknown: Floats = 1.0 - (is_known * _weights(p, grades.shape[-1])).sum(axis=-1)
    return unknown


def _weights(p: float, ranks: int) -> Floats:
    weights: Floats = (1.0 - p) * np.power(p, np.arange(ranks))
    return weights


MEASURE = Definition(
    name="RBP",
    sentence="Rate at which a reader gains who goes on to the next passage with probability p.",
    compute=rbp,
    cutoff=Cutoff.OPTIONAL,
    parameters={"p": probability, "rel": threshold, "part": one_of("base", "residual")},
    range_of=bounds,
)
