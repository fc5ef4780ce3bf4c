"""Bins: a number of each pair, such as its passage's length, cut into groups of about equal size."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.agreement.pairing import Pair


@dataclass(frozen=True, order=True)
class Bin:
    """The values from `low` to `high`, both of which occur."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


def by_quantiles(values: Mapping[Pair, float], bins: int = 4) -> dict[Pair, Bin]:
    """The bin of each pair. Equal values share a bin, so there may be fewer bins than asked for.

    >>> found = by_quantiles({("q", "a"): 10, ("q", "b"): 20, ("q", "c"): 90, ("q", "d"): 30}, bins=2)
    >>> [str(found["q", passage_id]) for passage_id in "abcd"]
    ['10 to 20', '10 to 20', '30 to 90', '30 to 90']
    """
    if not values:
        return {}
    numbers = np.fromiter(values.values(), dtype=np.float64, count=len(values))
    tops = np.unique(np.quantile(numbers, np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.searchsorted(tops, numbers)
    found = [Bin(float(numbers[place == top].min()), float(tops[top])) for top in range(len(tops))]
    return {pair: found[top] for pair, top in zip(values, place, strict=True)}


def placed(values: Mapping[Pair, float], bins: Iterable[Bin]) -> dict[Pair, Bin]:
    """The bin of each pair among given ones; a value that lies in none is left out.

    >>> placed({("q", "a"): 12, ("q", "b"): 25}, [Bin(10, 20), Bin(30, 90)])
    {('q', 'a'): Bin(low=10, high=20)}
    """
    given = list(bins)
    found = {
        pair: next((each for each in given if each.low <= value <= each.high), None) for pair, value in values.items()
    }
    return {pair: each for pair, each in found.items() if each is not None}
