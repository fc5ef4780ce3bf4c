"""What models say of pairs: a grade, or how likely each grade is. A grade is a likelihood of 1."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.formats.scale import GradeScale

Pair = tuple[str, str]
Said = int | Sequence[float]
_SUM_TOLERANCE = 0.01


class Opinions(NamedTuple):
    """Of r models on the pairs that one of them has graded at least."""

    scale: GradeScale
    rows: dict[Pair, int]
    likely: NDArray[np.float64]  # (pairs, r, grades); where a model is silent, the mean of those that are not

    @property
    def raters(self) -> int:
        """How many models there are."""
        return int(self.likely.shape[1])

    def of(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """(n, r, grades) how likely each grade is to each model. Raises KeyError for a pair that has no opinion."""
        return self.likely[[self.rows[pair] for pair in pairs]]


def build(models: Sequence[Mapping[Pair, Said]], scale: GradeScale) -> Opinions:
    """Reads each model's grades, or the probabilities of the scale's grades in their order.

    Raises ValueError, naming the pair, for a grade off the scale and for numbers that are no probabilities.
    """
    pairs = sorted(set().union(*models))
    rows = {pair: row for row, pair in enumerate(pairs)}
    likely = np.full((len(pairs), len(models), len(scale.grades)), np.nan)
    for rater, model in enumerate(models):
        for pair, said in model.items():
            likely[rows[pair], rater] = _distribution(pair, said, scale)
    is_silent = np.isnan(likely[:, :, 0])
    likely[is_silent] = np.nanmean(likely, axis=1)[np.nonzero(is_silent)[0]]
    return Opinions(scale, rows, likely)


def exceeding(likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., grades - 1): how likely at least each grade but the lowest is. Their sum is the expected step above it."""
    from_above = likely[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return np.asarray(from_above[..., 1:], np.float64)


def _distribution(pair: Pair, said: Said, scale: GradeScale) -> NDArray[np.float64]:
    where = f"topic {pair[0]}, passage {pair[1]}"
    if isinstance(said, int | np.integer):
        if said not in scale:
            raise ValueError(f"a model's grade {said} of {where} is not on the scale {scale}")
        return np.asarray(np.eye(len(scale.grades))[said - scale.low], np.float64)
    given = np.asarray(said, np.float64)
    if given.shape != (len(scale.grades),):
        raise ValueError(f"a model gave {given.size} probabilities of {where}, and the scale {scale} has other grades")
    if not ((given >= 0).all() and abs(given.sum() - 1) <= _SUM_TOLERANCE):
        raise ValueError(f"what a model said of {where} are not probabilities that sum to 1")
    return np.asarray(given / given.sum(), np.float64)
