import numpy as np
import pytest

from annotate.judges import mixed_model, text_features

COSINES = np.array([[1.0, 0.5], [0.5, 1.0]])
TEXTS = text_features.PairTexts(COSINES.astype(np.float32), COSINES, np.eye(2, dtype=bool))


def test_covariances_are_one_for_a_pair_with_itself_and_fall_with_distance():
    design = np.array([[1.0, 0.0], [1.0, 2.0]])
    found = mixed_model.compute_text_kernels(TEXTS, design, design)
    assert found.shape == (4, 2, 2)
    assert found[:, 0, 0] == pytest.approx(mixed_model.own_text_kernels(2)[:, 0])
    assert found[:, 0, 1] == pytest.approx([1, np.exp(-0.5 / 0.2), np.exp(-0.5 / 0.4), np.exp(-4 / 4)])


def test_pairs_with_the_same_grade_of_the_model_are_alike_and_more_so_with_the_same_words():
    grades = np.array([-1.0, 2.0])
    found = mixed_model.compute_model_kernels(TEXTS, grades, grades)
    alike = np.exp(-9 / 2)
    assert found[:, 0, 1] == pytest.approx([-2, alike, np.exp(-0.5 / 0.2) * alike, np.exp(-0.5 / 0.4) * alike])
    assert np.diagonal(found, axis1=1, axis2=2) == pytest.approx(mixed_model.own_model_kernels(grades))
