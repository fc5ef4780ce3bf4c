"""RR: reciprocal rank."""

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def reciprocal_rank(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """1 / rank of the first relevant passage, 0 if there is none up to the cut-off; 0 to 1, (..., topic).

    Source: Kantor and Voorhees, TREC-5, 1996; Voorhees, TREC-8 question answering track, 1999.

    >>> from evaluation.measures import grade_matrix
    >>> reciprocal_rank(grade_matrix.build([["u1", "d1"], ["u1"]], [{"d1": 1}, {"d1": 1}])).tolist()
    [0.5, 0.0]
    """
    return gains.expected_reciprocal(matrix.relevance(rel, cutoff))


MEASURE = Definition(
    name="RR",
    sentence="One over the rank of the first relevant passage.",
    compute=reciprocal_rank,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("MRR",),
    range_of=unjudged.bounds(reciprocal_rank),
)
