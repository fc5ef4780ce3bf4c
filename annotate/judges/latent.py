"""Latent semantic vectors: texts on one subject are close though they share few words.

Truncated singular value decomposition of tf-idf: Deerwester et al. 1990, Indexing by latent semantic
analysis, JASIS 41(6).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.lexicon import Lexicon

_DIMENSIONS = 200


class LatentSpace(NamedTuple):
    """Unit vectors of n passages in d dimensions, and the projection that makes one from v stems."""

    vectors: NDArray[np.float64]  # (n, d)
    projection: NDArray[np.float64]  # (v, d)


def build(lexicon: Lexicon, seed: int) -> LatentSpace:
    """At most 200 dimensions; none (d = 0) with fewer than two passages or two stems."""
    from sklearn.utils.extmath import randomized_svd

    weights = lexicon.counts.copy()
    dimensions = min(_DIMENSIONS, min(weights.shape) - 1)
    if dimensions < 1:
        return LatentSpace(np.zeros((weights.shape[0], 0)), np.zeros((weights.shape[1], 0)))
    owner = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    weights.data = (1 + np.log(weights.data)) * lexicon.idf[weights.indices]
    weights.data /= np.sqrt(np.bincount(owner, weights.data**2, weights.shape[0]))[owner]
    projection = randomized_svd(weights, dimensions, n_iter=5, random_state=seed)[2].T
    return LatentSpace(_unit(weights @ projection), projection)


def project(space: LatentSpace, lexicon: Lexicon, columns: Sequence[int]) -> NDArray[np.float64]:
    """The unit vector (d,) of a text that has each of the stems `columns` once."""
    chosen = np.array(columns, int)
    return _unit(lexicon.idf[chosen] @ space.projection[chosen])


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)
