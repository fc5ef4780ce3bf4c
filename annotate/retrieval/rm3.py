"""BM25 with pseudo-relevance feedback by RM3 (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004).

The best passages of a first search give terms that are added to the query for a second one.
"""

import numpy as np
from numpy.typing import NDArray

from annotate.retrieval import bm25, inverted
from annotate.retrieval.scoring import Scorer, Scores


def prepare(index: inverted.Inverted, passages: int = 10, terms: int = 10, original: float = 0.6) -> Scorer:
    """A scorer that adds `terms` terms of the first `passages`; the query's own keep the share `original` (0-1)."""
    weights = bm25.weights(index)
    shares = index.counts.data / index.passage_lengths[inverted.rows(index.counts)]
    models = inverted.scaled(index.counts, shares)

    def score(text: str) -> Scores:
        query = index.query(text)
        first = np.asarray(weights @ query)
        if not first.any():
            return first
        best = np.argsort(-np.round(first, 9), kind="stable")[:passages]
        added = _first(np.asarray(first[best] @ models[best]), terms)
        return np.asarray(weights @ (original * query / query.sum() + (1 - original) * added / added.sum()))

    return score


def _first(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The largest values, the others set to 0."""
    kept = np.zeros_like(values)
    places = np.argsort(-np.round(values, 12), kind="stable")[:count]
    kept[places] = values[places]
    return kept
