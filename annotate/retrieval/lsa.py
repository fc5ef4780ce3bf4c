"""Latent semantic analysis (Deerwester et al. 1990): cosine among the first singular vectors of TF-IDF."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from annotate.retrieval import inverted, tfidf
from annotate.retrieval.scoring import Scorer, Scores


def prepare(index: inverted.Inverted, dimensions: int = 100) -> Scorer:
    """A scorer by the cosine in the reduced space; fewer dimensions where the matrix has no more to give.

    The decomposition is the randomized one with a fixed seed: the same passages give the same scores.
    """
    weights = tfidf.matrix(index)
    axes = _axes(weights, min(dimensions, *weights.shape))
    reduced = _directions(np.asarray(weights @ axes))

    def score(text: str) -> Scores:
        return np.asarray(reduced @ _directions(tfidf.vector(index, text) @ axes))

    return score


def _axes(weights: sparse.csr_array, dimensions: int) -> NDArray[np.float64]:
    """The first right singular vectors as columns, terms x dimensions.

    On one thread: on these sizes several only wait for each other, twenty times slower on a busy machine.
    """
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    if dimensions == 0:
        return np.zeros((weights.shape[1], 0))
    with threadpool_limits(limits=1):
        _, _, right = randomized_svd(sparse.csr_matrix(weights), dimensions, n_iter=4, random_state=0)
    return np.asarray(right.T)


def _directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1 along the last axis; a null vector stays null."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 1e-12, lengths, 1))
