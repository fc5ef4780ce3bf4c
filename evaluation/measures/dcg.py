"""DCG: discounted cumulative gain."""

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def dcg(matrix: GradeMatrix, *, gain: str = "linear", rel: int | None = None, cutoff: int | None = None) -> Floats:
    """The sum of gain / log2(rank + 1) over the ranks up to the cut-off; 0 or more, (..., topic).

    With `rel`, grades are first made binary. Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002, with the
    discount of Burges et al., ICML 2005, which trec_eval uses.

    >>> from evaluation.measures import grade_matrix
    >>> matrix = grade_matrix.build([["d2", "u1", "d1"]], [{"d1": 3, "d2": 2}])
    >>> dcg(matrix, cutoff=10).tolist()  # 2 / log2(2) + 3 / log2(4)
    [3.5]
    """
    return gains.discounted(matrix.gains(gains.gain_table(gain, matrix.highest, rel), cutoff))


MEASURE = Definition(
    name="DCG",
    sentence="Gains of the passages found, divided by the logarithm of their rank, summed.",
    compute=dcg,
    cutoff=Cutoff.OPTIONAL,
    parameters={"gain": gains.check_gain, "rel": threshold},
    range_of=unjudged.bounds(dcg),
)
