"""Uncertain grades: pairs of which a model says how likely each grade is."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import UNJUDGED, Floats, GradeMatrix

Chances = Mapping[str, Sequence[float]]
SUM_TOLERANCE = 0.01


class NoDistribution(ValueError):
    """The chances of a passage are not probabilities of the grades of the scale."""


def build(
    rankings: Sequence[Sequence[str]],
    judged: Sequence[Mapping[str, int]],
    chances: Sequence[Chances],
    *,
    highest: int = 3,
) -> GradeMatrix:
    """The matrix of one run whose holes have chances: `chances[t]` holds those of topic t by passage.

    They are the probabilities of the grades from 0 to `highest`; their sum, which may be off by rounding, is
    made 1. A passage with a grade, or known to be junk, keeps it. Measures read expected gains and
    probabilities of relevance from the matrix, never the gain of an expected grade. Raises NoDistribution,
    naming the passage, and what `grade_matrix.build` raises.

    >>> from evaluation.measures.dcg import dcg
    >>> matrix = build([["u1", "d1"]], [{"d1": 1}], [{"u1": [0.5, 0.0, 0.0, 0.5]}])
    >>> dcg(matrix, gain="exp", cutoff=1).tolist()  # half of 2^3 - 1, and not 2^1.5 - 1
    [3.5]
    """
    coded, rows = code(judged, chances, highest=highest)
    codes = grade_matrix.build(rankings, coded, highest=len(rows))
    return GradeMatrix(codes.grades, codes.judged, highest, rows)


def code(
    judged: Sequence[Mapping[str, int]], chances: Sequence[Chances], *, highest: int
) -> tuple[list[dict[str, int]], Floats]:
    """The grades by topic with rows of chances in the holes, and these rows: what `GradeMatrix.chances` says.

    Raises as `build`.
    """
    grade_matrix.check_scale(judged, highest)
    rows: list[Floats] = [*np.eye(highest + 1)]
    coded: list[dict[str, int]] = []
    for given, topic in zip(judged, chances, strict=True):
        grades = dict(given)
        for passage_id, probabilities in topic.items():
            if grades.get(passage_id, UNJUDGED) == UNJUDGED:
                grades[passage_id] = len(rows)
                rows.append(_distribution(passage_id, probabilities, highest))
        coded.append(grades)
    return coded, np.array(rows)


def _distribution(passage_id: str, probabilities: Sequence[float], highest: int) -> Floats:
    given = np.array(probabilities, dtype=np.float64)
    if len(given) != highest + 1:
        raise NoDistribution(f"passage {passage_id!r} has {len(given)} probabilities for the grades 0 to {highest}")
    total = given.sum()
    if not ((given >= 0).all() and abs(total - 1.0) <= SUM_TOLERANCE):
        raise NoDistribution(f"the probabilities of passage {passage_id!r} are not numbers from 0 that sum to 1")
    row: Floats = given / total
    return row
