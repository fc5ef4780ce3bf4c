"""BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond")."""

import numpy as np
from scipy import sparse

from annotate.retrieval import inverted
from annotate.retrieval.scoring import Scorer, Scores


def prepare(index: inverted.Inverted, k1: float = 0.9, b: float = 0.4) -> Scorer:
    """A scorer by BM25: with a large `k1` (from 0) repeated terms add up; `b` (0-1) is how much length matters."""
    weighted = weights(index, k1, b)

    def score(text: str) -> Scores:
        return np.asarray(weighted @ index.query(text))

    return score


def weights(index: inverted.Inverted, k1: float = 0.9, b: float = 0.4) -> sparse.csr_array:
    """What each term of each passage adds to a score (passages x terms).

    idf is log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
    """
    counts, lengths = index.counts, index.passage_lengths
    frequencies = index.passage_frequencies
    idf = np.log1p((len(lengths) - frequencies + 0.5) / (frequencies + 0.5))
    # A field that is empty in all passages has a mean of 0, and no terms to weigh.
    norms = k1 * (1 - b + b * lengths / (lengths.mean() or 1))
    saturated = counts.data * (k1 + 1) / (counts.data + norms[inverted.rows(counts)])
    return inverted.scaled(counts, saturated * idf[counts.indices])
