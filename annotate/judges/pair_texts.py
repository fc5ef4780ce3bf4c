"""Pairs of one topic beside its judged pairs, by text alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import query_features, text_index

# Cosine of character n-grams from which two passages count as near-duplicates.
NEAR_DUPLICATE = 0.9


class PairTexts(NamedTuple):
    """n pairs of a topic beside its m judged pairs."""

    features: NDArray[np.float64]  # (n, p); NaN in the last two where no judged passage may be looked at
    chars: NDArray[np.float32]  # (n, m) cosine of character n-grams
    latent: NDArray[np.float64]  # (n, m) cosine of latent vectors
    is_left_out: NDArray[np.bool_]  # (n, m) the pair itself and near-duplicates of its passage

    def features_alone(self) -> NDArray[np.float64]:
        """The features as they are in a topic of which nothing is judged."""
        return np.hstack([self.features[:, :-2], np.full((len(self.features), 2), np.nan)])


def compare(
    index: text_index.TextIndex, query_id: str, rows: NDArray[np.int64], judged: NDArray[np.int64]
) -> PairTexts:
    """Compares the passages `rows` with the topic and with its `judged` passages (rows of the index).

    A pair's own grade, and the grades of near-duplicates of its passage, never speak for it: not in training,
    where they would give the answer away, nor in prediction, so that both see the same kind of evidence.
    """
    chars = (index.grams[rows] @ index.grams[judged].T).toarray()
    latent = index.space.vectors[rows] @ index.space.vectors[judged].T
    is_left_out = (chars >= NEAR_DUPLICATE) | (rows[:, None] == judged[None, :])
    features = np.column_stack(
        [
            query_features.matrix(index, index.queries[query_id], rows),
            query_features.backstory_matrix(index, index.backstories[query_id], rows),
            _mean_kept(chars, is_left_out),
            _mean_kept(latent, is_left_out),
        ]
    )
    return PairTexts(features, chars, latent, is_left_out)


def _mean_kept(cosines: NDArray[np.float64], is_left_out: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) how central a passage is among those judged; NaN where none is left."""
    kept = (~is_left_out).sum(axis=1)
    return np.where(kept > 0, (cosines * ~is_left_out).sum(axis=1) / np.maximum(kept, 1), np.nan)
