"""Bpref: binary preference, made for incomplete judgments."""

import numpy as np

from evaluation.measures import shares
from evaluation.measures.definition import Cutoff, Definition, threshold
from evaluation.measures.grade_matrix import Floats, GradeMatrix


def bpref(matrix: GradeMatrix, *, rel: int = 1) -> Floats:
    """The mean over relevant passages of the share of judged nonrelevant ones not above them; 0 to 1.

    Of the nonrelevant passages the first min(R, N) count, where R relevant and N nonrelevant ones are
    judged. Relevant passages that were not found give 0, as does a topic without any; holes and junk are
    passed over. It has no gains, so it is not defined on chances. Shape (..., topic). Source:
    Buckley and Voorhees, SIGIR 2004, in the version of trec_eval since 8.0.

    >>> from evaluation.measures import grade_matrix
    >>> bpref(grade_matrix.build([["n1", "u1", "d1"]], [{"d1": 1, "d2": 2, "n1": 0, "n2": 0}])).tolist()
    [0.25]
    """
    n_relevant = matrix.n_relevant(rel)[..., np.newaxis]
    n_nonrelevant = matrix.n_judged()[..., np.newaxis] - n_relevant
    relevance = matrix.relevance(rel)
    nonrelevance = (matrix.grades >= 0) - relevance
    above = np.cumsum(nonrelevance, axis=-1) - nonrelevance
    lost = shares.share(np.minimum(above, n_relevant), np.minimum(n_relevant, n_nonrelevant))
    total: Floats = (relevance * (1.0 - lost)).sum(axis=-1)
    return shares.share(total, n_relevant[..., 0])


MEASURE = Definition(
    name="bpref",
    sentence="How rarely a judged nonrelevant passage stands above a relevant one.",
    compute=bpref,
    cutoff=Cutoff.NONE,
    parameters={"rel": threshold},
    aliases=("Bpref", "BPref"),
    is_treating_holes=False,
    is_taking_chances=False,
)
