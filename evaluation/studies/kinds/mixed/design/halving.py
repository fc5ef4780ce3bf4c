"""How many more pairs would have to be judged for an interval half as wide."""

import math

import numpy as np

from evaluation.agreement.value import Value, undefined
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.design.pair_design import Places

EXACT = "the interval has no width"
UNKNOWN = "too few sampled pairs tell the variance"


def more_pairs(spread: Floats, frame: Places, sample: Places) -> Value:
    """The number of pairs beyond the sample, if each topic's share grows by the same factor up to all it has.

    `spread` (t): of each topic N_t squared times the variance of the corrections, as the sample tells it. Half the
    width is a quarter of the variance, sum of spread (1 / n_t - 1 / N_t).
    """
    is_open = sample < frame
    spread, frame, sample = spread[is_open], frame[is_open], sample[is_open]
    now = _variance(spread, frame, sample)
    if not now:
        return undefined(EXACT)
    low, high = 1.0, float((frame / sample).max())
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _variance(spread, frame, _grown(frame, sample, middle)) > now / 4:
            low = middle
        else:
            high = middle
    return Value(int((_grown(frame, sample, high) - sample).sum()))


def more_topics(spread: float, topics: int, sampled: int) -> Value:
    """The number of topics beyond the sampled ones for half the standard error over these topics."""
    now = spread * (1 / sampled - 1 / topics)
    if not now:
        return undefined(EXACT)
    return Value(math.ceil(1 / (now / 4 / spread + 1 / topics) - 1e-9) - sampled)


def _variance(spread: Floats, frame: Places, sample: Places) -> float:
    return math.fsum((spread * (1.0 / sample - 1.0 / frame)).tolist())


def _grown(frame: Places, sample: Places, times: float) -> Places:
    found: Places = np.minimum(frame, np.ceil(sample * times - 1e-9).astype(np.intp))
    return found
