import numpy as np
import pytest

from annotate.judges import kernels, pair_texts


def test_covariances_are_one_for_a_pair_with_itself_and_fall_with_distance():
    cosines = np.array([[1.0, 0.5], [0.5, 1.0]])
    texts = pair_texts.PairTexts(np.empty((2, 0)), cosines.astype(np.float32), cosines, np.eye(2, dtype=bool))
    design = np.array([[1.0, 0.0], [1.0, 2.0]])
    found = kernels.between(texts, design, design)
    assert found.shape == (4, 2, 2)
    assert found[:, 0, 0] == pytest.approx(np.ones(4))
    assert found[:, 0, 1] == pytest.approx([1, np.exp(-0.5 / 0.2), np.exp(-0.5 / 0.4), np.exp(-4 / 4)])
