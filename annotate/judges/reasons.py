"""Why a grade was suggested, in one line that a person can check against the texts."""

from collections.abc import Sequence

import numpy as np

from annotate.judges import lexicon, pair_texts, words
from annotate.judges.judged_pairs import JudgedTopic

_COMMON = 0.2  # words in a larger share of the passages say nothing
_SHOWN = 6


def coverage(stems: lexicon.Lexicon, query: str, row: int) -> str:
    """`covers 2 of 3 query words (grow, goldfish; not tank)` for the passage at `row`."""
    asked = _telling(stems, query)
    if not asked:
        return "the query has no words"
    there = {int(column) for column in stems.positions[row]}
    found = [word for word in asked if stems.columns.get(words.stem(word)) in there]
    missing = [word for word in asked if word not in found]
    parts = [_listed(found)] * bool(found) + [f"not {_listed(missing)}"] * bool(missing)
    return f"covers {len(found)} of {len(asked)} query words ({'; '.join(parts)})"


def nearest(texts: pair_texts.PairTexts, topic: JudgedTopic) -> list[str]:
    """`nearest judged passage 123456, grade 2` for each pair; those left out are not looked at."""
    closeness = np.where(texts.is_left_out, -np.inf, texts.chars + texts.latent)
    return [
        f"nearest judged passage {topic.passage_ids[place]}, grade {topic.grades[place]}"
        if np.isfinite(row[place])
        else "every judged passage of this topic is nearly the same text"
        for row, place in zip(closeness, closeness.argmax(axis=1), strict=True)
    ]


def _telling(stems: lexicon.Lexicon, query: str) -> list[str]:
    """The different words of a query, one of each stem, without common ones unless it has no others."""
    asked = list({words.stem(word): word for word in reversed(words.split(query))}.values())[::-1]
    most = _COMMON * len(stems.positions)
    rare = [word for word in asked if _passages_with(stems, word) <= most]
    return rare or asked


def _passages_with(stems: lexicon.Lexicon, word: str) -> int:
    column = stems.columns.get(words.stem(word))
    return 0 if column is None else int(stems.frequency[column])


def _listed(found: Sequence[str]) -> str:
    return ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
