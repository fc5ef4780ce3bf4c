"""What a judge suggests for a pair."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import calibrator


class Prediction(NamedTuple):
    """A suggestion.

    `grade` is for people: the median of `probabilities`, or the models' own where nothing better is known.
    `probabilities` are those of the grades of the scale. `for_scoring` are probabilities too, drawn to the models'
    grade where the topic has few judged pairs: measures take the expected gain of these, whatever a grade gains.
    `reason` is one line.
    """

    grade: int
    probabilities: tuple[float, ...]
    reason: str
    for_scoring: tuple[float, ...]

    def gain(self, worth: Sequence[float]) -> float:
        """The expected gain, where each grade of the scale in its order gains `worth`."""
        return float(np.dot(self.for_scoring, worth))


def several(
    grades: range,
    probabilities: NDArray[np.float64],
    why: Iterable[str],
    *,
    deciding: NDArray[np.float64] | None = None,
    for_scoring: NDArray[np.float64] | None = None,
) -> Iterator[Prediction]:
    """n predictions from (n, grades) probabilities. Others than these may decide the grade, or be for scoring."""
    chosen = calibrator.median(probabilities if deciding is None else deciding, grades)
    scoring = probabilities if for_scoring is None else for_scoring
    for grade, likely, gaining, reason in zip(chosen, probabilities.tolist(), scoring.tolist(), why, strict=True):
        yield Prediction(int(grade), tuple(likely), reason, tuple(gaining))
