"""TF-IDF and the cosine of the angle (Salton and Buckley 1988, the `ltc.ltc` weighting)."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from annotate.retrieval import inverted
from annotate.retrieval.scoring import Scorer, Scores


def prepare(index: inverted.Inverted) -> Scorer:
    """A scorer by the cosine between query and passage, 0-1."""
    weights = matrix(index)

    def score(text: str) -> Scores:
        return np.asarray(weights @ vector(index, text))

    return score


def matrix(index: inverted.Inverted) -> sparse.csr_array:
    """The weights (1 + log tf) x idf of all passages, each row of length 1 (0 where there are no terms)."""
    counts = index.counts
    values = (1 + np.log(counts.data)) * idf(index)[counts.indices]
    squares = np.bincount(inverted.rows(counts), weights=values**2, minlength=counts.shape[0])
    return inverted.scaled(counts, values / np.sqrt(squares)[inverted.rows(counts)])


def vector(index: inverted.Inverted, text: str) -> NDArray[np.float64]:
    """The weights of a query in the same space, of length 1, or all 0 where no passage holds a term of it."""
    counts = index.query(text)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf(index)
    length = np.linalg.norm(weights)
    return weights / length if length > 0 else weights


def idf(index: inverted.Inverted) -> NDArray[np.float64]:
    """1 + log(N / n) of each term: 1 for a term of every passage."""
    return 1 + np.log(index.counts.shape[0] / index.passage_frequencies)
