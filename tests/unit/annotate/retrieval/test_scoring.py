import numpy as np

from annotate.retrieval import scorers


def test_the_best_come_first_and_scores_of_zero_or_less_not_at_all() -> None:
    scores = np.array([0.5, 0.0, 2.0, -1.0])
    assert scorers.top_passages(scores, ["a", "b", "c", "d"], depth=10) == [("c", 2.0), ("a", 0.5)]


def test_equal_scores_are_ordered_by_passage_id_descending_by_bytes() -> None:
    passage_ids = ["B", "a", "é", "z"]
    assert [name for name, _ in scorers.top_passages(np.ones(4), passage_ids, depth=10)] == ["é", "z", "a", "B"]


def test_the_cut_at_the_depth_obeys_the_same_order_among_equals() -> None:
    scores = np.array([1.0, 1.0, 3.0, 1.0])
    assert scorers.top_passages(scores, ["a", "c", "x", "b"], depth=2) == [("x", 3.0), ("c", 1.0)]


def test_scores_that_differ_by_rounding_only_are_equal() -> None:
    scores = np.array([0.1 + 0.2, 0.3])
    assert [name for name, _ in scorers.top_passages(scores, ["a", "b"], depth=2)] == ["b", "a"]
