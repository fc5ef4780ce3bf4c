"""ERR: expected reciprocal rank."""

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import Cutoff, Definition
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def err(matrix: GradeMatrix, *, cutoff: int | None = None) -> Floats:
    """The expected reciprocal rank at which a user stops who is satisfied with (2^grade - 1) / 2^highest.

    `highest` is the highest grade of the scale, not of the topic. 0 to 1, (..., topic). Source: Chapelle,
    Metzler, Zhang and Grinspan, CIKM 2009.

    >>> from evaluation.measures import grade_matrix
    >>> err(grade_matrix.build([["d1", "d2"]], [{"d1": 2, "d2": 3}])).tolist()  # 3/8 + 1/2 * 5/8 * 7/8
    [0.6484375]
    """
    satisfied = gains.gain_table("exp", matrix.highest) / 2.0**matrix.highest
    return gains.expected_reciprocal(matrix.gains(satisfied, cutoff))


MEASURE = Definition(
    name="ERR",
    sentence="Expected reciprocal of the rank at which a reader has had enough.",
    compute=err,
    cutoff=Cutoff.OPTIONAL,
    range_of=unjudged.bounds(err),
)
