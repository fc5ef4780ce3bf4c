"""The texts of a collection, made ready for comparison once."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import char_grams, latent, lexicon


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


class Kept(NamedTuple):
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
    lexicon: lexicon.Lexicon
    space: latent.LatentSpace
    grams: Any  # sparse (n, 2^20)
    queries: dict[str, QueryText]
    backstories: dict[str, QueryText]
    kept: Mapping[str, Kept]  # by `query_id`; empty unless `pair_texts.keep` filled it

    def rows_of(self, passage_ids: Sequence[str]) -> NDArray[np.int64]:
        """Rows of the passages, in the order given."""
        return np.array([self.rows[passage_id] for passage_id in passage_ids], np.int64)


def build(*, topics: Mapping[str, TopicText], passages: Mapping[str, str], seed: int) -> TextIndex:
    """Indexes every passage; rows go by passage id, so that the order of the mapping does not matter."""
    passage_ids = sorted(passages)
    texts = [passages[passage_id] for passage_id in passage_ids]
    stems = lexicon.build(texts)
    space = latent.build(stems, seed)
    grams = char_grams.build(texts)
    return TextIndex(
        rows={passage_id: row for row, passage_id in enumerate(passage_ids)},
        lexicon=stems,
        space=space,
        grams=grams.vectors,
        queries={key: _query_text(stems, space, grams, topic.text) for key, topic in topics.items()},
        backstories={key: _query_text(stems, space, grams, topic.backstory) for key, topic in topics.items()},
        kept={},
    )


def _query_text(stems: lexicon.Lexicon, space: latent.LatentSpace, grams: char_grams.CharGrams, text: str) -> QueryText:
    columns = lexicon.known(stems, text)
    return QueryText(
        text,
        np.array(columns, np.int64),
        latent.project(space, stems, columns),
        char_grams.vectors(grams, [text]),
    )
