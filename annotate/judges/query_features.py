"""What the words of a query say of a passage, before anybody has judged anything."""

import numpy as np
from numpy.typing import NDArray

from annotate.judges import text_index

_K1, _B = 0.9, 0.4  # of BM25, as is usual for short passages


def matrix(index: text_index.TextIndex, query: text_index.QueryText, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n, 10) features of the passages `rows`; for a query whose words no passage has, all but the length are 0.

    BM25, coverage weighted by idf and plain (each as a share of its maximum), all words covered or not, query
    words close together, first query word early, density of query words, log length, latent and character
    cosine.
    """
    stems = index.lexicon
    tf = stems.counts[rows][:, query.columns].toarray()
    idf, lengths = stems.idf[query.columns], stems.lengths[rows]
    saturated = tf / (tf + _K1 * (1 - _B + _B * lengths / max(stems.lengths.mean(), 1))[:, None])
    found = tf > 0
    count = max(len(idf), 1)
    places = np.array([_places(stems.positions[row], query.columns) for row in rows]).reshape(-1, 2)
    return np.column_stack(
        [
            saturated @ idf / (idf.sum() or 1),
            found @ idf / (idf.sum() or 1),
            found.sum(axis=1) / count,
            found.sum(axis=1) == count,
            places,
            tf.sum(axis=1) / (1 + lengths),
            np.log1p(lengths),
            index.space.vectors[rows] @ query.latent,
            (index.grams[rows] @ query.grams.T).toarray().ravel(),
        ]
    )


def backstory_matrix(
    index: text_index.TextIndex, backstory: text_index.QueryText, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(n, 3) features against a backstory, which has many words: idf coverage, both cosines."""
    return matrix(index, backstory, rows)[:, [1, 8, 9]]


def _places(positions: NDArray[np.int32], columns: NDArray[np.int64]) -> tuple[float, float]:
    """How close together (0-1 and more) and how early (0-1) the stems `columns` stand in a passage.

    Close: the best 1 / distance of each two stems that follow each other, summed, by the number of stems
    less one.
    """
    where = np.flatnonzero(np.isin(positions, columns))
    if not len(where):
        return 0.0, 0.0
    best: dict[tuple[int, int], float] = {}
    stems = positions[where]
    for left, right, distance in zip(stems[:-1].tolist(), stems[1:].tolist(), np.diff(where).tolist(), strict=True):
        if left != right:
            both = (min(left, right), max(left, right))
            best[both] = max(best.get(both, 0.0), 1 / distance)
    return sum(best.values()) / max(len(columns) - 1, 1), float(1 / (1 + where[0] / 10))
