"""Model labels: a grade of a pair, or the probability of each grade; and whether holes differ from judged pairs.

A grade is a probability of 1. Where holes do not look like the judged pairs of their topics in the eyes of models, they
did not come about by chance, and what judged pairs teach may not hold for them: when only relevant passages are
missing, those that are left teach that everything is worth little.
"""

from collections.abc import Container, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from annotate.formats.records import GradeScale

Pair = tuple[str, str]
Label = int | Sequence[float]
_SUM_TOLERANCE = 0.01


class ModelLabels(NamedTuple):
    """Of r models on the pairs that one of them has graded at least."""

    scale: GradeScale
    rows: dict[Pair, int]
    likely: NDArray[np.float64]  # (pairs, r, grades); where a model is silent, the mean of those that are not

    @property
    def raters(self) -> int:
        """How many models there are."""
        return int(self.likely.shape[1])

    def select(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """(n, r, grades) how likely each grade is to each model. Raises KeyError for a pair that no model labelled."""
        return self.likely[[self.rows[pair] for pair in pairs]]


def build_labels(models: Sequence[Mapping[Pair, Label]], scale: GradeScale) -> ModelLabels:
    """Reads each model's grades, or the probabilities of the scale's grades in their order.

    Raises ValueError, naming the pair, for a grade off the scale and for numbers that are no probabilities.
    """
    pairs = sorted(set().union(*models))
    rows = {pair: row for row, pair in enumerate(pairs)}
    likely = np.full((len(pairs), len(models), len(scale.grades)), np.nan)
    for rater, model in enumerate(models):
        for pair, label in model.items():
            likely[rows[pair], rater] = _distribution(pair, label, scale)
    is_silent = np.isnan(likely[:, :, 0])
    likely[is_silent] = np.nanmean(likely, axis=1)[np.nonzero(is_silent)[0]]
    return ModelLabels(scale, rows, likely)


def exceedance_probabilities(likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., grades - 1): how likely at least each grade but the lowest is. Their sum is the expected step above it."""
    from_above = likely[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return np.asarray(from_above[..., 1:], np.float64)


def _distribution(pair: Pair, label: Label, scale: GradeScale) -> NDArray[np.float64]:
    where = f"topic {pair[0]}, passage {pair[1]}"
    if isinstance(label, int | np.integer):
        if label not in scale:
            raise ValueError(f"a model's grade {label} of {where} is not on the scale {scale}")
        return np.asarray(np.eye(len(scale.grades))[label - scale.low], np.float64)
    given = np.asarray(label, np.float64)
    if given.shape != (len(scale.grades),):
        raise ValueError(f"a model gave {given.size} probabilities of {where}, and the scale {scale} has other grades")
    if not ((given >= 0).all() and abs(given.sum() - 1) <= _SUM_TOLERANCE):
        raise ValueError(f"what a model said of {where} are not probabilities that sum to 1")
    return np.asarray(given / given.sum(), np.float64)


# Of holes drawn by chance, at most this share is taken for another kind.
LEVEL = 0.01


class HoleShift(NamedTuple):
    """What was found: the p-value, and the models' mean grade of the judged pairs and the holes in the same topics."""

    p_value: float
    judged_mean: float
    hole_mean: float

    @property
    def is_certain(self) -> bool:
        """Whether the test is significant at LEVEL."""
        return self.p_value < LEVEL

    def __str__(self) -> str:
        return (
            f"models see other passages in the holes (mean grade {self.hole_mean:.2f}) than among the judged ones of "
            f"the same topics ({self.judged_mean:.2f}), which chance does not explain (p < {LEVEL})"
        )


def find_shift(labels: ModelLabels, judged: Container[Pair]) -> HoleShift | None:
    """Compares the distributions of the models' grades on judged pairs and all other pairs that they know.

    Topics with pairs on one side only say nothing; None where all are so. The test is that of Mantel and Haenszel
    generalised to several grades: within each topic, holes are a random part of its pairs. Source: Landis, Heyman
    and Koch, Average partial association in three-way contingency tables, 1978.
    """
    likely = labels.likely.mean(axis=1)
    rows = list(labels.rows)
    is_hole = np.array([pair not in judged for pair in rows])
    topics = [np.array(list(group)) for _, group in groupby(range(len(rows)), key=lambda row: rows[row][0])]
    both = [topic for topic in topics if 0 < is_hole[topic].sum() < len(topic)]
    if not both:
        return None
    parts = [_excess(likely[topic], is_hole[topic]) for topic in both]
    excess, covariance = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
    used = np.concatenate(both)
    grades = likely[used] @ np.array(labels.scale.grades)
    holes = is_hole[used]
    return HoleShift(_p_value(excess, covariance), float(grades[~holes].mean()), float(grades[holes].mean()))


def _excess(likely: NDArray[np.float64], is_hole: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many more holes than expected have each grade in a topic, (g,), and the covariance by chance, (g, g)."""
    count, holes = len(likely), int(is_hole.sum())
    centred = likely - likely.mean(axis=0)
    return centred[is_hole].sum(axis=0), centred.T @ centred * holes * (count - holes) / (count * (count - 1))


def _p_value(excess: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    inverse = np.linalg.pinv(covariance, rtol=1e-9, hermitian=True)
    freedom = np.linalg.matrix_rank(covariance, tol=1e-9 * max(np.trace(covariance), 1e-9), hermitian=True)
    return float(stats.chi2.sf(excess @ inverse @ excess, freedom)) if freedom else 1.0
