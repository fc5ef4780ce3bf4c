import numpy as np
import pytest

from annotate.judges import mixed_model

ROWS = np.array([[0.0, 5.0, np.nan], [2.0, 5.0, 1.0], [4.0, 5.0, 3.0]])


def test_mean_and_spread_leave_the_unknown_out():
    collection = mixed_model.scale_collection(ROWS)
    assert collection.mean == pytest.approx([2, 5, 2])
    assert collection.spread == pytest.approx([np.sqrt(8 / 3), 1, 1])


def test_a_topic_without_judged_pairs_has_the_scale_of_the_collection():
    collection = mixed_model.scale_collection(ROWS)
    topic = mixed_model.scale_topic(collection, np.empty((0, 3)))
    assert topic.mean == pytest.approx(collection.mean)
    assert topic.spread == pytest.approx(collection.spread)


def test_a_topic_with_many_judged_pairs_has_its_own_scale():
    collection = mixed_model.scale_collection(ROWS)
    topic = mixed_model.scale_topic(collection, np.tile([[10.0, 0, 0], [12.0, 0, 0]], (1000, 1)))
    assert topic.mean[0] == pytest.approx(11, abs=0.05)
    assert topic.spread[0] == pytest.approx(1, abs=0.15)


def test_the_design_is_finite_whatever_a_text_is_like():
    collection = mixed_model.scale_collection(ROWS)
    design = mixed_model.build_design(collection, collection, np.array([[1e9, 5.0, np.nan]]))
    assert design.tolist() == [[1, 6, 0, 0, 6, 0, 0]]
