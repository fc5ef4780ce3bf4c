"""Gains: what a grade is worth, discounted by rank; parts of a whole that may be nothing; readers who may stop."""

import math

import numpy as np

from evaluation.measures.definition import CannotMeasure
from evaluation.measures.grade_matrix import Floats


class GainsTooShort(CannotMeasure):
    """A list of gains ends below the highest grade of the scale."""


def check_gain(text: str) -> str:
    """The text of a gain, if it is one. Raises ValueError with the reason.

    A list gives the gains of the grades 0, 1, 2 ...; they may not fall, or the ideal order would not be
    that of the grades.
    """
    if text in ("linear", "exp"):
        return text
    try:
        values = [float(part) for part in text.split("/")]
    except ValueError:
        raise ValueError("is not linear, exp or a list of gains such as 0/1/3/10") from None
    if not all(math.isfinite(value) for value in values) or values[0] < 0 or values != sorted(values):
        raise ValueError("must be a list of gains from 0 up that never fall as the grade rises")
    return text


def gain_of_map(text: str) -> str:
    """The list that a map from grade to gain means; any other text as it is. Raises ValueError with the reason.

    >>> gain_of_map("0=0, 1=1, 2=3, 3=7"), gain_of_map("exp")
    ('0/1/3/7', 'exp')
    """
    if "=" not in text:
        return text
    grades, values = zip(*(part.partition("=")[::2] for part in text.split(",")), strict=True)
    if [grade.strip() for grade in grades] != [str(grade) for grade in range(len(grades))]:
        raise ValueError("must give each grade its gain, in order and from 0 on, as in 0=0,1=1,2=3,3=7")
    return "/".join(value.strip() for value in values)


def gain_table(gain: str, highest: int, rel: int | None = None) -> Floats:
    """The gain of each grade from 0 to `highest`, never falling. Raises GainsTooShort.

    With `rel` grades are first made binary: from it on they gain what grade 1 gains, below it what 0 does.

    >>> gain_table("exp", 3).tolist(), gain_table("exp", 3, rel=2).tolist()
    ([0.0, 1.0, 3.0, 7.0], [0.0, 0.0, 1.0, 1.0])
    >>> gain_table("0/1/3/10", 2).tolist()
    [0.0, 1.0, 3.0]
    """
    grades = np.arange(highest + 1)
    if rel is not None:
        is_relevant = grades >= rel
        return gain_table(gain, 1)[is_relevant.astype(np.intp)]
    if gain == "linear":
        return grades.astype(np.float64)
    if gain == "exp":
        return np.exp2(grades) - 1.0
    values = np.array([float(part) for part in check_gain(gain).split("/")])
    if len(values) <= highest:
        raise GainsTooShort(f"gain {gain} ends at grade {len(values) - 1}, but the scale goes to {highest}")
    return values[: highest + 1]


def discounted(gains_at_ranks: Floats) -> Floats:
    """The sum of the gains along the last axis, each divided by the logarithm of its rank."""
    discount = 1.0 / np.log2(np.arange(2, gains_at_ranks.shape[-1] + 2))
    total: Floats = (gains_at_ranks * discount).sum(axis=-1)
    return total


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where the whole is 0. Both broadcast.

    >>> share(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def reaches(stops: Floats) -> Floats:
    """The probability of coming to each rank, `stops` being those of stopping there; both (..., rank).

    >>> reaches(np.array([0.5, 0.0, 1.0, 0.5])).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    goes_on = np.cumprod(1.0 - stops, axis=-1)
    return np.concatenate([np.ones_like(goes_on[..., :1]), goes_on[..., :-1]], axis=-1)


def expected_reciprocal(stops: Floats) -> Floats:
    """The expected value of 1 / the rank of the stop, 0 for a reader who never stops; (...).

    >>> expected_reciprocal(np.array([0.0, 1.0, 1.0])).tolist()
    0.5
    """
    ranks = np.arange(1, stops.shape[-1] + 1)
    total: Floats = (reaches(stops) * stops / ranks).sum(axis=-1)
    return total
