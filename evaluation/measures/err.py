"""ERR: expected reciprocal rank."""

import numpy as np

from evaluation.measures import gains, grade_matrix
from evaluation.measures.definition import Cutoff, Definition
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def err(matrix: GradeMatrix, *, cutoff: int | None = None) -> Floats:
    """The expected reciprocal rank at which a user stops who is satisfied with (2^grade - 1) / 2^highest.

    `highest` is the highest grade of the scale, not of the topic. 0 to 1, (..., topic). Source: Chapelle,
    Metzler, Zhang and Grinspan, CIKM 2009.

    >>> err(grade_matrix.build([["d1", "d2"]], [{"d1": 2, "d2": 3}])).tolist()  # 3/8 + 1/2 * 5/8 * 7/8
    [0.6484375]
    """
    grades = grade_matrix.cut(matrix.grades, cutoff)
    stops = gains.at_ranks(grades, gains.table("exp", matrix.highest) / 2.0**matrix.highest)
    goes_on = np.cumprod(1.0 - stops, axis=-1)
    reaches = np.concatenate([np.ones_like(goes_on[..., :1]), goes_on[..., :-1]], axis=-1)
    total: Floats = (reaches * stops / np.arange(1, grades.shape[-1] + 1)).sum(axis=-1)
    return total


MEASURE = Definition(
    name="ERR",
    sentence="Expected reciprocal of the rank at which a reader has had enough.",
    compute=err,
    cutoff=Cutoff.OPTIONAL,
)
