"""P: precision at a cut-off."""

from evaluation.measures import unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def precision(matrix: GradeMatrix, *, cutoff: int, rel: int = 1) -> Floats:
    """The share of the first `cutoff` places that hold a relevant passage; 0 to 1, (..., topic).

    The denominator is the cut-off, also for a ranking that ends before it, as in trec_eval. Source: van
    Rijsbergen, Information Retrieval, 1979, chapter 7.

    >>> from evaluation.measures import grade_matrix
    >>> matrix = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1}])
    >>> precision(matrix, cutoff=10).tolist(), precision(matrix, cutoff=10, rel=2).tolist()
    ([0.2], [0.1])
    """
    result: Floats = matrix.relevance(rel, cutoff).sum(axis=-1)
    return result / cutoff


MEASURE = Definition(
    name="P",
    sentence="Share of the first places that hold a relevant passage.",
    compute=precision,
    cutoff=Cutoff.REQUIRED,
    parameters={"rel": threshold},
    aliases=("Precision",),
    range_of=unjudged.bounds(precision),
)
