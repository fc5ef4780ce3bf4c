"""Pairs of one topic beside its judged pairs, by text alone."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import query_features, text_index

# Cosine of character n-grams from which two passages count as near-duplicates.
_NEAR_DUPLICATE = 0.9


class PairTexts(NamedTuple):
    """n passages beside the m judged ones of their topic."""

    chars: NDArray[np.float32]  # (n, m) cosine of character n-grams
    latent: NDArray[np.float64]  # (n, m) cosine of latent vectors
    is_left_out: NDArray[np.bool_]  # (n, m) the pair itself, and near-duplicates of its passage if they may not speak


def compare(
    index: text_index.TextIndex,
    query_id: str,
    rows: NDArray[np.int64],
    judged: NDArray[np.int64],
    *,
    may_copies_speak: bool = True,
) -> PairTexts:
    """Compares the passages `rows` of a topic with its `judged` passages (rows of the index).

    A pair's own grade never speaks for it: not in training, where it would give the answer away, nor in prediction,
    so that both see the same kind of evidence. Nor do those of near-duplicates, where `may_copies_speak` is False.
    """
    chars, latent = _cosines(index, query_id, rows, judged)
    is_own = rows[:, None] == judged[None, :]
    return PairTexts(chars, latent, is_own if may_copies_speak else is_own | (chars >= _NEAR_DUPLICATE))


def features(
    index: text_index.TextIndex, query_id: str, rows: NDArray[np.int64], texts: PairTexts
) -> NDArray[np.float64]:
    """(n, p) the passages beside the topic's query and backstory, and how central they are among those judged.

    NaN in the last two where no judged passage may be looked at.
    """
    known = index.kept.get(query_id)
    beside = known.features[known.places_of(rows)] if known else _beside_query(index, query_id, rows)
    central = [_mean_kept(cosines, texts.is_left_out) for cosines in (texts.chars, texts.latent)]
    return np.column_stack([beside, *central])


def features_alone(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """The features as they are in a topic of which nothing is judged."""
    return np.hstack([features[:, :-2], np.full((len(features), 2), np.nan)])


def keep(index: text_index.TextIndex, passages: Mapping[str, Sequence[str]]) -> text_index.TextIndex:
    """The index with all comparisons among the `passages` of each topic, for who fits many judges on it."""
    kept = {}
    for query_id, passage_ids in passages.items():
        rows = index.rows_of(passage_ids)
        chars, latent = _cosines(index, query_id, rows, rows)
        beside = _beside_query(index, query_id, rows)
        kept[query_id] = text_index.Kept({int(row): place for place, row in enumerate(rows)}, chars, latent, beside)
    return index._replace(kept=kept)


def _cosines(
    index: text_index.TextIndex, query_id: str, rows: NDArray[np.int64], judged: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    known = index.kept.get(query_id)
    if known:
        places = np.ix_(known.places_of(rows), known.places_of(judged))
        return known.chars[places], known.latent[places]
    chars = (index.grams[rows] @ index.grams[judged].T).toarray()
    return chars, index.space.vectors[rows] @ index.space.vectors[judged].T


def _beside_query(index: text_index.TextIndex, query_id: str, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.hstack(
        [
            query_features.matrix(index, index.queries[query_id], rows),
            query_features.backstory_matrix(index, index.backstories[query_id], rows),
        ]
    )


def _mean_kept(cosines: NDArray[np.floating], is_left_out: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) how central a passage is among those judged; NaN where none is left."""
    kept = (~is_left_out).sum(axis=1)
    return np.where(kept > 0, (cosines * ~is_left_out).sum(axis=1) / np.maximum(kept, 1), np.nan)
