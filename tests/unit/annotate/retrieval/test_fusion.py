import numpy as np
import pytest

from annotate.retrieval import scorers
from annotate.retrieval.scorers import Scorer


def fixed(*scores: float) -> Scorer:
    return lambda text: np.array(scores)


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    scores = scorers.prepare_fusion([fixed(3, 2, 0), fixed(0, 5, 1)], k=60)("any")
    assert scores.tolist() == pytest.approx([1 / 61, 1 / 62 + 1 / 61, 1 / 62])


def test_equal_scores_share_a_rank() -> None:
    assert scorers.prepare_fusion([fixed(2, 2, 1)], k=0)("any").tolist() == [1, 1, pytest.approx(1 / 3)]
