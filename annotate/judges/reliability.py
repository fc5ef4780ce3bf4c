"""Whether probabilities mean what they say: of pairs that are relevant with a probability of .7, 70 % should be.

Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78(1), 1950. The expected
calibration error (ECE) is that of Naeini, Cooper and Hauskrecht, AAAI 2015: ten bins of equal width.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_BINS = 10


class Bin(NamedTuple):
    """The pairs with a probability from `low` to below `high` (the last one: to 1). Nothing is said of no pairs."""

    low: float
    high: float
    pairs: int
    predicted: float | None  # mean probability
    happened: float | None  # share that is relevant


class Reliability(NamedTuple):
    """Of so many `pairs`. `brier` (0 to 1) is the mean square error, `ece` (0 to 1) the mean gap of a pair's bin.

    Both are None without pairs. `excess` is by how much more grade there is than expected, on average.
    """

    pairs: int
    bins: tuple[Bin, ...]
    brier: float | None
    ece: float | None
    excess: float | None


class Report(NamedTuple):
    """All pairs, and those of them that some run has among its first ten, where scores are made."""

    every: Reliability
    top: Reliability


def report(
    probabilities: NDArray[np.float64],
    grades: NDArray[np.int64],
    *,
    of_grades: range,
    relevant_from: int,
    is_top: NDArray[np.bool_],
) -> Report:
    """From (n, grades) probabilities and the (n,) grades that people gave. `is_top` (n,) flags the top-ten pool."""
    everywhere = np.ones(len(grades), np.bool_)
    every, top = (
        _reliability(probabilities[chosen], grades[chosen], of_grades, relevant_from) for chosen in (everywhere, is_top)
    )
    return Report(every, top)


def _reliability(
    probabilities: NDArray[np.float64], grades: NDArray[np.int64], of_grades: range, relevant_from: int
) -> Reliability:
    relevant = probabilities[:, relevant_from - of_grades.start :].sum(axis=1)
    happened = (grades >= relevant_from).astype(np.float64)
    place = np.minimum((relevant * _BINS + 1e-9).astype(np.int64), _BINS - 1)
    bins = tuple(_bin(number, relevant[place == number], happened[place == number]) for number in range(_BINS))
    if not len(grades):
        return Reliability(0, bins, None, None, None)
    gaps = np.bincount(place, relevant - happened, _BINS)
    return Reliability(
        pairs=len(grades),
        bins=bins,
        brier=float(((relevant - happened) ** 2).mean()),
        ece=float(np.abs(gaps).sum() / len(grades)),
        excess=float((grades - probabilities @ np.array(of_grades)).mean()),
    )


def _bin(number: int, relevant: NDArray[np.float64], happened: NDArray[np.float64]) -> Bin:
    low, high = number / _BINS, (number + 1) / _BINS
    if not len(relevant):
        return Bin(low, high, 0, None, None)
    return Bin(low, high, len(relevant), float(relevant.mean()), float(happened.mean()))
