"""Against others: each grade beside those that other raters gave to the same pair."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.ratios import Floats

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AgainstOthers:
    """Couples of grades by their places among all that were given, (couples,): each grade as `own` with every `other`
    of its pair. `weight` is 1 over the number of others, so that a grade counts once however many stand against it.
    """

    own: Places
    other: Places
    weight: Floats


def of(pair: Places) -> AgainstOthers:
    """`pair` has the number of the pair of each grade; a rater gave a pair one grade at most.

    >>> found = of(np.array([7, 5, 7, 7]))
    >>> sorted(zip(found.own.tolist(), found.other.tolist(), found.weight.tolist()))
    [(0, 2, 0.5), (0, 3, 0.5), (2, 0, 0.5), (2, 3, 0.5), (3, 0, 0.5), (3, 2, 0.5)]
    """
    order = np.argsort(pair, kind="stable")
    rising = pair[order]
    former, latter = [order[:0]], [order[:0]]
    apart = 1
    # The grades of one pair stand side by side: those one apart, then those two apart, until no pair has so many.
    while len(same := np.flatnonzero(rising[apart:] == rising[:-apart])):
        former.append(order[same])
        latter.append(order[same + apart])
        apart += 1
    own, other = np.concatenate([*former, *latter]), np.concatenate([*latter, *former])
    return AgainstOthers(own, other, 1 / np.bincount(own, minlength=len(pair))[own])
