"""Why a grade was suggested, in one line that a person can check against the texts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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


def models(said: NDArray[np.float64], low: int) -> str:
    """`the model says grade 2` from (r, grades) how likely each grade is to each model, the first being `low`."""
    certain = said.max(axis=1) == 1
    expected = low + said @ np.arange(said.shape[1])
    grades = [f"{grade:.0f}" if sure else f"{grade:.1f}" for grade, sure in zip(expected, certain, strict=True)]
    return f"the model says grade {grades[0]}" if len(grades) == 1 else f"the models say grades {_listed(grades)}"


def leniency(grades: float) -> str:
    """How much higher than usual a topic's assessor grades."""
    if abs(grades) < 0.05:
        return "this topic is graded as others are"
    return f"this topic is graded {abs(grades):.1f} {'higher' if grades > 0 else 'lower'} than others"


def nearest(texts: pair_texts.PairTexts, topic: JudgedTopic) -> list[str]:
    """`nearest judged passages 12, grade 2, and 7, grade 0` for each pair; those left out are not looked at."""
    closeness = np.where(texts.is_left_out, -np.inf, texts.chars + texts.latent)
    places = np.argsort(-closeness, axis=1, kind="stable")[:, :2]
    return [
        _near([f"{topic.passage_ids[place]}, grade {topic.grades[place]}" for place in two if np.isfinite(row[place])])
        for row, two in zip(closeness, places, strict=True)
    ]


def _near(found: Sequence[str]) -> str:
    if not found:
        return "every judged passage of this topic is nearly the same text"
    return f"nearest judged passage{'s' * (len(found) > 1)} {', and '.join(found)}"


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
