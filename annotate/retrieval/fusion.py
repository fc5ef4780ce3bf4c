"""Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): several rankings made into one."""

import numpy as np

from annotate.retrieval.scoring import Scorer, Scores


def prepare(scorers: list[Scorer], k: int = 60) -> Scorer:
    """A scorer by the sum of 1 / (k + rank) over the given scorers; where a passage scores 0 it gets nothing."""

    def score(text: str) -> Scores:
        return np.asarray(np.sum([_reciprocals(scorer(text), k) for scorer in scorers], axis=0))

    return score


def _reciprocals(scores: Scores, k: int) -> Scores:
    """1 / (k + rank) of each passage; equal scores share the best rank among them: no order is made up."""
    rounded = np.round(scores, 9)
    ascending = np.sort(rounded)
    ranks = len(rounded) - np.searchsorted(ascending, rounded, side="right") + 1
    return np.where(rounded > 0, 1 / (k + ranks), 0)
