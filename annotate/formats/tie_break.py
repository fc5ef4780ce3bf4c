"""THE order of a run, which the golden values fix."""

from typing import Any

import numpy as np
import numpy.typing as npt

Order = npt.NDArray[np.intp]


def order_rows(topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], passage_ids: npt.NDArray[Any]) -> Order:
    """Where each row of a run comes from, given its columns (all of one length) in any order.

    By topic number, then score descending (as doubles), then passage id descending by its bytes in UTF-8.
    `passage_ids` is an array of `str` objects. The rank that a file tells plays no part.
    """
    by_score: Order = np.lexsort((-scores, topics))
    _order_ties(by_score, topics, scores, passage_ids)
    return by_score


def list_contenders(topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], depth: int) -> Order:
    """The rows (in the order of the file) that ties could lift to the first `depth` ranks of their topics.

    Those are the rows whose score is at least that of the topic's rank `depth`; all of a topic with fewer ranks.
    """
    is_sorted = (np.diff(topics) > 0) | ((np.diff(topics) == 0) & (np.diff(scores) <= 0))
    by_score = scores if is_sorted.all() else scores[np.lexsort((-scores, topics))]
    ranks = np.bincount(topics)
    last_in = np.cumsum(ranks) - ranks + np.minimum(ranks, depth) - 1
    return np.flatnonzero(scores >= by_score[last_in][topics])


def _order_ties(
    rows: Order, topics: npt.NDArray[np.intp], scores: npt.NDArray[np.float64], ids: npt.NDArray[Any]
) -> None:
    """Sorts each stretch of one topic and score by id; code points are ordered as their UTF-8 bytes are."""
    topics, scores = topics[rows], scores[rows]
    is_new = (topics[1:] != topics[:-1]) | (scores[1:] != scores[:-1])
    starts = np.flatnonzero(np.concatenate(([True], is_new, [True])))
    for stretch in np.flatnonzero(np.diff(starts) > 1):
        start, end = starts[stretch], starts[stretch + 1]
        rows[start:end] = sorted(rows[start:end], key=ids.__getitem__, reverse=True)
