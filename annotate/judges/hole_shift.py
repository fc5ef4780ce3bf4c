"""Whether holes look like the judged pairs of their topics in the eyes of models.

Where they do not, holes did not come about by chance, and what judged pairs teach may not hold for them: when only
relevant passages are missing, those that are left teach that everything is worth little.
"""

from collections.abc import Container
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from annotate.judges.opinions import Opinions, Pair

# Of holes drawn by chance, at most this share is taken for another kind.
LEVEL = 0.01


class Shift(NamedTuple):
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


def find(opinions: Opinions, judged: Container[Pair]) -> Shift | None:
    """Compares the distributions of the models' grades on judged pairs and all other pairs that they know.

    Topics with pairs on one side only say nothing; None where all are so. The test is that of Mantel and Haenszel
    generalised to several grades: within each topic, holes are a random part of its pairs. Source: Landis, Heyman
    and Koch, Average partial association in three-way contingency tables, 1978.
    """
    likely = opinions.likely.mean(axis=1)
    rows = list(opinions.rows)
    is_hole = np.array([pair not in judged for pair in rows])
    topics = [np.array(list(group)) for _, group in groupby(range(len(rows)), key=lambda row: rows[row][0])]
    both = [topic for topic in topics if 0 < is_hole[topic].sum() < len(topic)]
    if not both:
        return None
    parts = [_excess(likely[topic], is_hole[topic]) for topic in both]
    excess, covariance = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
    used = np.concatenate(both)
    grades = likely[used] @ np.array(opinions.scale.grades)
    holes = is_hole[used]
    return Shift(_p_value(excess, covariance), float(grades[~holes].mean()), float(grades[holes].mean()))


def _excess(likely: NDArray[np.float64], is_hole: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many more holes than expected have each grade in a topic, (g,), and the covariance by chance, (g, g)."""
    count, holes = len(likely), int(is_hole.sum())
    centred = likely - likely.mean(axis=0)
    return centred[is_hole].sum(axis=0), centred.T @ centred * holes * (count - holes) / (count * (count - 1))


def _p_value(excess: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    inverse = np.linalg.pinv(covariance, rtol=1e-9, hermitian=True)
    freedom = np.linalg.matrix_rank(covariance, tol=1e-9 * max(np.trace(covariance), 1e-9), hermitian=True)
    return float(stats.chi2.sf(excess @ inverse @ excess, freedom)) if freedom else 1.0
