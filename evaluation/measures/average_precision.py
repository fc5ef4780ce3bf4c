"""AP: average precision."""

import numpy as np

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def average_precision(matrix: GradeMatrix, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The sum of the precisions at the ranks of relevant passages over the number of these; 0 to 1.

    The denominator is all relevant passages of the topic, also with a cut-off; a topic without any has the
    value 0. Of probabilities, the sum is the expected one and the denominator the expected number: a plug-in.
    Shape (..., topic). Source: Buckley and Voorhees, SIGIR 2000; trec_eval's map and map_cut.

    >>> from evaluation.measures import grade_matrix
    >>> average_precision(grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 1}])).round(4).tolist()
    [0.8333]
    """
    relevance = matrix.relevance(rel, cutoff)
    ranks = np.arange(1, relevance.shape[-1] + 1)
    # In one array, since a deep matrix is large: relevance * (1 + what is relevant above) / rank.
    precisions = np.cumsum(relevance, axis=-1)
    precisions -= relevance
    precisions += 1.0
    precisions *= relevance
    precisions /= ranks
    total: Floats = precisions.sum(axis=-1)
    return gains.share(total, matrix.n_relevant(rel))


MEASURE = Definition(
    name="AP",
    sentence="Precision at the rank of each relevant passage, averaged over all relevant passages.",
    compute=average_precision,
    cutoff=Cutoff.OPTIONAL,
    parameters={"rel": threshold},
    aliases=("MAP",),
    range_of=unjudged.sensitivity_range(average_precision),
)
