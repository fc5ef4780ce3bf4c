"""The shape that every family of retrieval shares: a query's text in, one score per passage out."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float64]
Scorer: TypeAlias = Callable[[str], Scores]


def top(scores: Scores, passage_ids: list[str], depth: int) -> list[tuple[str, float]]:
    """The `depth` best (passage id, score) with a score above 0, best first.

    Equal scores are ordered by passage id, descending by UTF-8 bytes, as runs are everywhere in Lacuna.
    Scores are rounded to 9 decimals first: sums that differ by rounding only are ties on every machine.
    """
    rounded = np.round(scores, 9)
    found = np.flatnonzero(rounded > 0)
    if len(found) > depth:
        least = np.partition(rounded[found], -depth)[-depth]
        found = found[rounded[found] >= least]
    by_id = sorted(found, key=lambda place: passage_ids[place].encode(), reverse=True)
    best = sorted(by_id, key=lambda place: -rounded[place])[:depth]
    return [(passage_ids[place], float(rounded[place])) for place in best]
