"""Coordination: how many different terms of the query a passage holds, whatever their weight."""

import numpy as np

from annotate.retrieval import inverted
from annotate.retrieval.scoring import Scorer, Scores


def prepare(index: inverted.Inverted) -> Scorer:
    """A scorer by the number of the query's terms held; among equals the shorter passage comes first."""
    counts = index.counts
    present = inverted.scaled(counts, np.ones_like(counts.data))
    brevity = 1 / (2 + index.passage_lengths)

    def score(text: str) -> Scores:
        held = np.asarray(present @ (index.query(text) > 0).astype(np.float64))
        return np.where(held > 0, held + brevity, 0)

    return score
