"""Features on one footing: how a pair stands in the collection, and among the judged pairs of its topic."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_PRIOR_PAIRS = 5  # a topic's mean and spread start from the collection's, as if from this many pairs
_LIMIT = 6.0  # spreads from the mean; beyond, a text is odd and how odd says nothing


class Scaling(NamedTuple):
    """Mean and spread (standard deviation, never 0) of p features."""

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]


def overall(features: NDArray[np.float64]) -> Scaling:
    """Mean and spread of the judged pairs of all topics, (n, p); NaN is left out."""
    is_known = ~np.isnan(features)
    counts = np.maximum(is_known.sum(axis=0), 1)
    mean = np.where(is_known, features, 0).sum(axis=0) / counts
    spread = np.sqrt((np.where(is_known, features - mean, 0) ** 2).sum(axis=0) / counts)
    return Scaling(mean, np.where(spread > 1e-9, spread, 1))


def within_topic(collection: Scaling, features: NDArray[np.float64]) -> Scaling:
    """Mean and spread of one topic's judged pairs, (n, p) with n from 0, drawn towards the collection's."""
    known = np.where(np.isnan(features), collection.mean, features)
    weight = len(known) + _PRIOR_PAIRS
    mean = (known.sum(axis=0) + _PRIOR_PAIRS * collection.mean) / weight
    squares = ((known - mean) ** 2).sum(axis=0) + _PRIOR_PAIRS * collection.spread**2
    return Scaling(mean, np.sqrt(squares / weight))


def design(collection: Scaling, topic: Scaling, features: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 1 + 2p): a constant, the features scaled by the collection, and by the topic. NaN is at the mean."""
    both = np.hstack([(features - side.mean) / side.spread for side in (collection, topic)])
    return np.hstack([np.ones((len(features), 1)), np.nan_to_num(np.clip(both, -_LIMIT, _LIMIT))])
