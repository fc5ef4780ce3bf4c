"""What a judge suggests for a pair, and why, in one line that a person can check against the texts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import calibration, text_features, text_vectors
from annotate.judges.training import JudgedTopic

_COMMON = 0.2  # words in a larger share of the passages say nothing
_SHOWN = 6


def explain_coverage(stems: text_vectors.Lexicon, query: str, row: int) -> str:
    """`covers 2 of 3 query words (grow, goldfish; not tank)` for the passage at `row`."""
    asked = _telling_words(stems, query)
    if not asked:
        return "the query has no words"
    there = {int(column) for column in stems.positions[row]}
    covered = [word for word in asked if stems.columns.get(text_vectors.stem_word(word)) in there]
    missing = [word for word in asked if word not in covered]
    parts = [_join_shown(covered)] * bool(covered) + [f"not {_join_shown(missing)}"] * bool(missing)
    return f"covers {len(covered)} of {len(asked)} query words ({'; '.join(parts)})"


def explain_models(likely: NDArray[np.float64], low: int) -> str:
    """`the model says grade 2` from (r, grades) how likely each grade is to each model, the first being `low`."""
    certain = likely.max(axis=1) == 1
    expected = low + likely @ np.arange(likely.shape[1])
    grades = [f"{grade:.0f}" if sure else f"{grade:.1f}" for grade, sure in zip(expected, certain, strict=True)]
    return f"the model says grade {grades[0]}" if len(grades) == 1 else f"the models say grades {_join_shown(grades)}"


def explain_leniency(grades: float) -> str:
    """How much higher than usual a topic's assessor grades."""
    if abs(grades) < 0.05:
        return "this topic is graded as others are"
    return f"this topic is graded {abs(grades):.1f} {'higher' if grades > 0 else 'lower'} than others"


def explain_nearest(texts: text_features.PairTexts, topic: JudgedTopic) -> list[str]:
    """`nearest judged passages 12, grade 2, and 7, grade 0` for each pair; those left out are not looked at."""
    closeness = np.where(texts.is_left_out, -np.inf, texts.chars + texts.latent)
    places = np.argsort(-closeness, axis=1, kind="stable")[:, :2]
    return [
        _name_nearest(
            [f"{topic.passage_ids[place]}, grade {topic.grades[place]}" for place in two if np.isfinite(row[place])]
        )
        for row, two in zip(closeness, places, strict=True)
    ]


def _name_nearest(nearest: Sequence[str]) -> str:
    if not nearest:
        return "every judged passage of this topic is nearly the same text"
    return f"nearest judged passage{'s' * (len(nearest) > 1)} {', and '.join(nearest)}"


def _telling_words(stems: text_vectors.Lexicon, query: str) -> list[str]:
    """The different words of a query, one of each stem, without common ones unless it has no others."""
    words = reversed(text_vectors.split_words(query))
    asked = list({text_vectors.stem_word(word): word for word in words}.values())[::-1]
    most = _COMMON * len(stems.positions)
    rare = [word for word in asked if _passages_with(stems, word) <= most]
    return rare or asked


def _passages_with(stems: text_vectors.Lexicon, word: str) -> int:
    column = stems.columns.get(text_vectors.stem_word(word))
    return 0 if column is None else int(stems.frequency[column])


def _join_shown(words: Sequence[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (", ..." if len(words) > _SHOWN else "")


class Prediction(NamedTuple):
    """A suggestion.

    `grade` is for people: the median of `probabilities`, or the models' own where nothing better is known.
    `probabilities` are those of the grades of the scale. `for_scoring` are probabilities too, drawn to the models'
    grade where the topic has few judged pairs: measures take the expected gain of these, whatever a grade gains.
    `reason` is one line; `blind_reason` is the part of it that tells nothing of what anybody graded.
    """

    grade: int
    probabilities: tuple[float, ...]
    reason: str
    blind_reason: str
    for_scoring: tuple[float, ...]

    def gain(self, worth: Sequence[float]) -> float:
        """The expected gain, where each grade of the scale in its order gains `worth`."""
        return float(np.dot(self.for_scoring, worth))


def build_predictions(
    grades: range,
    probabilities: NDArray[np.float64],
    why: Iterable[tuple[str, str]],
    *,
    deciding: NDArray[np.float64] | None = None,
    for_scoring: NDArray[np.float64] | None = None,
) -> Iterator[Prediction]:
    """n predictions from (n, grades) probabilities. Others than these may decide the grade, or be for scoring. `why`
    has the reason and its blind part."""
    chosen = calibration.find_median_grades(probabilities if deciding is None else deciding, grades)
    scoring = probabilities if for_scoring is None else for_scoring
    for grade, likely, gaining, reasons in zip(chosen, probabilities.tolist(), scoring.tolist(), why, strict=True):
        yield Prediction(int(grade), tuple(likely), *reasons, tuple(gaining))
