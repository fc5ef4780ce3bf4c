"""The texts of a collection made ready for comparison once, and the pairs of a topic compared by text alone."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import text_vectors


class TopicText(NamedTuple):
    """What an assessor reads of a topic."""

    text: str
    backstory: str = ""


class QueryText(NamedTuple):
    """A query or a backstory in the terms of the passages."""

    text: str
    columns: NDArray[np.int64]  # its different stems that some passage has, in order
    latent: NDArray[np.float64]  # (d,)
    grams: Any  # sparse (1, 2^20)


class Comparisons(NamedTuple):
    """Comparisons among n passages of one topic, made once for all who ask."""

    places: dict[int, int]  # of each row of the index
    chars: NDArray[np.float32]  # (n, n)
    latent: NDArray[np.float64]  # (n, n)
    features: NDArray[np.float64]  # (n, p) beside the query and the backstory

    def places_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the rows of the index stand here. Raises KeyError for one that was not compared."""
        return np.array([self.places[row] for row in rows.tolist()], np.int64)


class TextIndex(NamedTuple):
    """Passages by row, queries and backstories by `query_id`."""

    rows: dict[str, int]
    lexicon: text_vectors.Lexicon
    space: text_vectors.LatentSpace
    grams: Any  # sparse (n, 2^20)
    queries: dict[str, QueryText]
    backstories: dict[str, QueryText]
    kept: Mapping[str, Comparisons]  # by `query_id`; empty unless `keep_comparisons` filled it

    def rows_of(self, passage_ids: Sequence[str]) -> NDArray[np.int64]:
        """Rows of the passages, in the order given."""
        return np.array([self.rows[passage_id] for passage_id in passage_ids], np.int64)


def build_index(*, topics: Mapping[str, TopicText], passages: Mapping[str, str], seed: int) -> TextIndex:
    """Indexes every passage; rows go by passage id, so that the order of the mapping does not matter."""
    passage_ids = sorted(passages)
    texts = [passages[passage_id] for passage_id in passage_ids]
    stems = text_vectors.build_lexicon(texts)
    space = text_vectors.build_latent_space(stems, seed)
    grams = text_vectors.build_char_grams(texts)
    return TextIndex(
        rows={passage_id: row for row, passage_id in enumerate(passage_ids)},
        lexicon=stems,
        space=space,
        grams=grams.vectors,
        queries={key: _query_text(stems, space, grams, topic.text) for key, topic in topics.items()},
        backstories={key: _query_text(stems, space, grams, topic.backstory) for key, topic in topics.items()},
        kept={},
    )


def _query_text(
    stems: text_vectors.Lexicon, space: text_vectors.LatentSpace, grams: text_vectors.CharGrams, text: str
) -> QueryText:
    columns = text_vectors.find_known_columns(stems, text)
    return QueryText(
        text,
        np.array(columns, np.int64),
        text_vectors.project_text(space, stems, columns),
        text_vectors.vectorize_texts(grams, [text]),
    )


_K1, _B = 0.9, 0.4  # of BM25, as is usual for short passages


def compute_query_features(index: TextIndex, query: QueryText, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n, 10) features of the passages `rows`; for a query whose words no passage has, all but the length are 0.

    BM25, coverage weighted by idf and plain (each as a share of its maximum), all words covered or not, query
    words close together, first query word early, density of query words, log length, latent and character
    cosine.
    """
    stems = index.lexicon
    tf = stems.counts[rows][:, query.columns].toarray()
    idf, lengths = stems.idf[query.columns], stems.lengths[rows]
    saturated = tf / (tf + _K1 * (1 - _B + _B * lengths / max(stems.lengths.mean(), 1))[:, None])
    has_stem = tf > 0
    count = max(len(idf), 1)
    places = np.array([_places(stems.positions[row], query.columns) for row in rows]).reshape(-1, 2)
    return np.column_stack(
        [
            saturated @ idf / (idf.sum() or 1),
            has_stem @ idf / (idf.sum() or 1),
            has_stem.sum(axis=1) / count,
            has_stem.sum(axis=1) == count,
            places,
            tf.sum(axis=1) / (1 + lengths),
            np.log1p(lengths),
            index.space.vectors[rows] @ query.latent,
            (index.grams[rows] @ query.grams.T).toarray().ravel(),
        ]
    )


def compute_backstory_features(index: TextIndex, backstory: QueryText, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n, 3) features against a backstory, which has many words: idf coverage, both cosines."""
    return compute_query_features(index, backstory, rows)[:, [1, 8, 9]]


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


# Cosine of character n-grams from which two passages count as near-duplicates.
_NEAR_DUPLICATE = 0.9


class PairTexts(NamedTuple):
    """n passages beside the m judged ones of their topic."""

    chars: NDArray[np.float32]  # (n, m) cosine of character n-grams
    latent: NDArray[np.float64]  # (n, m) cosine of latent vectors
    is_left_out: NDArray[np.bool_]  # (n, m) the pair itself, and near-duplicates of its passage if they may not speak


def compare_texts(
    index: TextIndex,
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


def compute_features(index: TextIndex, query_id: str, rows: NDArray[np.int64], texts: PairTexts) -> NDArray[np.float64]:
    """(n, p) the passages beside the topic's query and backstory, and how central they are among those judged.

    NaN in the last two where no judged passage may be looked at.
    """
    known = index.kept.get(query_id)
    beside = known.features[known.places_of(rows)] if known else _query_columns(index, query_id, rows)
    central = [_mean_kept(cosines, texts.is_left_out) for cosines in (texts.chars, texts.latent)]
    return np.column_stack([beside, *central])


def blank_judged_features(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """The features as they are in a topic of which nothing is judged."""
    return np.hstack([features[:, :-2], np.full((len(features), 2), np.nan)])


def keep_comparisons(index: TextIndex, passages: Mapping[str, Sequence[str]]) -> TextIndex:
    """The index with all comparisons among the `passages` of each topic, for who fits many judges on it."""
    kept = {}
    for query_id, passage_ids in passages.items():
        rows = index.rows_of(passage_ids)
        chars, latent = _cosines(index, query_id, rows, rows)
        beside = _query_columns(index, query_id, rows)
        kept[query_id] = Comparisons({int(row): place for place, row in enumerate(rows)}, chars, latent, beside)
    return index._replace(kept=kept)


def _cosines(
    index: TextIndex, query_id: str, rows: NDArray[np.int64], judged: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    known = index.kept.get(query_id)
    if known:
        places = np.ix_(known.places_of(rows), known.places_of(judged))
        return known.chars[places], known.latent[places]
    chars = (index.grams[rows] @ index.grams[judged].T).toarray()
    return chars, index.space.vectors[rows] @ index.space.vectors[judged].T


def _query_columns(index: TextIndex, query_id: str, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.hstack(
        [
            compute_query_features(index, index.queries[query_id], rows),
            compute_backstory_features(index, index.backstories[query_id], rows),
        ]
    )


def _mean_kept(cosines: NDArray[np.floating], is_left_out: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) how central a passage is among those judged; NaN where none is left."""
    kept = (~is_left_out).sum(axis=1)
    return np.where(kept > 0, (cosines * ~is_left_out).sum(axis=1) / np.maximum(kept, 1), np.nan)
