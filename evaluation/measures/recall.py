"""R: recall."""

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def recall(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of the topic's relevant passages that were found up to the cut-off; 0 to 1, (..., topic).

    A topic without relevant passages has the value 0. Of probabilities, it is an expected number over another: a
    plug-in. Source: van Rijsbergen, Information Retrieval, 1979, chapter 7.

    >>> from evaluation.measures import grade_matrix
    >>> matrix = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1, "d5": 2}])
    >>> recall(matrix, cutoff=2).round(4).tolist()
    [0.3333]
    """
    return gains.share(matrix.relevance(rel, cutoff).sum(axis=-1), matrix.n_relevant(rel))


MEASURE = Definition(
    name="R",
    sentence="Share of the relevant passages that were found.",
    compute=recall,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("Recall",),
    range_of=unjudged.sensitivity_range(recall),
)
