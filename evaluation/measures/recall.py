"""R: recall."""

import numpy as np

from evaluation.measures import grade_matrix
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def recall(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of the topic's relevant passages that were found up to the cut-off; 0 to 1, (..., topic).

    A topic without relevant passages has the value 0. Source: van Rijsbergen, Information Retrieval, 1979,
    chapter 7.

    >>> matrix = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1, "d5": 2}])
    >>> recall(matrix, cutoff=2).round(4).tolist()
    [0.3333]
    """
    found = np.count_nonzero(grade_matrix.cut(matrix.grades, cutoff) >= rel, axis=-1)
    return np.asarray(found / np.maximum(matrix.n_relevant(rel), 1))


MEASURE = Definition(
    name="R",
    sentence="Share of the relevant passages that were found.",
    compute=recall,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("Recall",),
)
