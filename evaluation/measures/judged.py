"""Judged: the share of the first places that were judged."""

from evaluation.measures.definition import Cutoff, Definition
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def judged(matrix: GradeMatrix, *, cutoff: int) -> Floats:
    """The share of the first `cutoff` places that hold a judged passage; 0 to 1, (..., topic).

    The denominator is the cut-off: the empty places of a ranking that ends before it are not judged
    (ir_measures divides by the length there). Negative grades are no judgment. By definition.

    >>> from evaluation.measures import grade_matrix
    >>> matrix = grade_matrix.build([["d1", "u1", "j1", "d0"]], [{"d1": 3, "d0": 0, "j1": -2}])
    >>> judged(matrix, cutoff=10).tolist()
    [0.2]
    """
    return matrix.judged_share(cutoff)


MEASURE = Definition(
    name="Judged",
    sentence="Share of the first places that hold a judged passage.",
    compute=judged,
    cutoff=Cutoff.REQUIRED,
    is_treating_holes=False,
)
