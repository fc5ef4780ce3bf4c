"""AP: average precision."""

import numpy as np

from evaluation.measures import grade_matrix
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def average_precision(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The sum of the precisions at the ranks of relevant passages over the number of these; 0 to 1.

    The denominator is all relevant passages of the topic, also with a cut-off; a topic without any has the
    value 0. Shape (..., topic). Source: Buckley and Voorhees, SIGIR 2000; trec_eval's map and map_cut.

    >>> average_precision(grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1}])).round(4).tolist()
    [0.8333]
    """
    relevant = grade_matrix.cut(matrix.grades, cutoff) >= rel
    ranks = np.arange(1, relevant.shape[-1] + 1)
    precisions = np.cumsum(relevant, axis=-1) / ranks
    total: Floats = (precisions * relevant).sum(axis=-1)
    return total / np.maximum(matrix.n_relevant(rel), 1)


MEASURE = Definition(
    name="AP",
    sentence="Precision at the rank of each relevant passage, averaged over all relevant passages.",
    compute=average_precision,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("MAP",),
)
