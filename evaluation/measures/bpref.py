"""Bpref: binary preference, made for incomplete judgments."""

from typing import Any

import numpy as np

from evaluation.measures import gains, grade_matrix
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def bpref(matrix: GradeMatrix, *, rel: int = 1) -> Floats:
    """The mean over relevant passages of the share of judged nonrelevant ones not above them; 0 to 1.

    Of the nonrelevant passages the first min(R, N) count, where R relevant and N nonrelevant ones are
    judged. Relevant passages that were not found give 0, as does a topic without any; holes and junk are
    passed over. It has no gains, so it is not defined on probabilities. Shape (..., topic). Source:
    Buckley and Voorhees, SIGIR 2004, in the version of trec_eval since 8.0.

    >>> from evaluation.measures import grade_matrix
    >>> bpref(grade_matrix.build([["n1", "u1", "d1"]], [{"d1": 1, "d2": 2, "n1": 0, "n2": 0}])).tolist()
    [0.25]
    """
    n_relevant = matrix.n_relevant(rel)
    n_counted = np.minimum(n_relevant, matrix.n_judged() - n_relevant)
    is_relevant = matrix.grades >= rel
    # Whole numbers of one or two bytes: lists are long, and all of each is looked at.
    above = np.cumsum((matrix.grades >= 0) & ~is_relevant, axis=-1, dtype=_count_type(matrix))
    lost = np.where(is_relevant, np.minimum(above, n_relevant[..., np.newaxis].astype(above.dtype)), 0)
    kept = np.count_nonzero(is_relevant, axis=-1) - gains.share(lost.sum(axis=-1, dtype=np.int64), n_counted)
    return gains.share(kept, n_relevant)


def _count_type(matrix: GradeMatrix) -> type[np.signedinteger[Any]]:
    """The smallest that holds the ranks and all that is judged."""
    return grade_matrix.cell_type(max(matrix.grades.shape[-1], matrix.judged.shape[-1]))


MEASURE = Definition(
    name="bpref",
    sentence="How rarely a judged nonrelevant passage stands above a relevant one.",
    compute=bpref,
    cutoff=Cutoff.NONE,
    parameters={"rel": threshold},
    aliases=("Bpref", "BPref"),
    is_treating_holes=False,
    is_taking_probabilities=False,
)
