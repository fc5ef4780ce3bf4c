"""RR: reciprocal rank."""

import numpy as np

from evaluation.measures import grade_matrix
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def reciprocal_rank(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """1 / rank of the first relevant passage, 0 if there is none up to the cut-off; 0 to 1, (..., topic).

    Source: Kantor and Voorhees, TREC-5, 1996; Voorhees, TREC-8 question answering track, 1999.

    >>> reciprocal_rank(grade_matrix.build([["u1", "d1"], ["u1"]], [{"d1": 1}, {"d1": 1}])).tolist()
    [0.5, 0.0]
    """
    relevant = grade_matrix.cut(matrix.grades, cutoff) >= rel
    ranks = np.arange(1, relevant.shape[-1] + 1)
    first: Floats = (relevant / ranks).max(axis=-1, initial=0.0)
    return first


MEASURE = Definition(
    name="RR",
    sentence="One over the rank of the first relevant passage.",
    compute=reciprocal_rank,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("MRR",),
)
