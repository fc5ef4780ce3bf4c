"""nDCG: DCG divided by that of the ideal ranking."""

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def ndcg(matrix: GradeMatrix, *, gain: str = "linear", rel: int | None = None, cutoff: int | None = None) -> Floats:
    """DCG over the DCG of all judged passages of the topic in falling order of grade; 0 to 1, (..., topic).

    The ideal is cut at the same rank. A topic whose ideal is 0 has the value 0. With `rel`, grades are
    first made binary. Of probabilities, both are DCG of expected gains, the ideal in falling order of these: a
    plug-in. Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; `gain=linear` equals trec_eval's
    ndcg_cut, `gain=exp` is that of Burges et al., ICML 2005.

    >>> from evaluation.measures import grade_matrix
    >>> matrix = grade_matrix.build([["d1"]], [{"d1": 1, "d9": 3}])
    >>> ndcg(matrix, cutoff=10).round(4).tolist(), ndcg(matrix, gain="exp", cutoff=10).round(4).tolist()
    ([0.2754], [0.131])
    """
    worth = gains.gain_table(gain, matrix.highest, rel)
    result = gains.discounted(matrix.gains(worth, cutoff))
    ideal = gains.discounted(matrix.ideal_gains(worth, cutoff))
    return gains.share(result, ideal)


MEASURE = Definition(
    name="nDCG",
    sentence="Discounted gains of the passages found, as a share of what the ideal ranking gathers.",
    compute=ndcg,
    cutoff=Cutoff.OPTIONAL,
    parameters={"gain": gains.check_gain, "rel": threshold},
    aliases=("NDCG",),
    range_of=unjudged.sensitivity_range(ndcg),
)
