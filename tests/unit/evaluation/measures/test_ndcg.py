import math
from dataclasses import replace

import numpy as np
import pytest

from evaluation.measures import grade_matrix, ndcg


def test_the_ideal_holds_passages_that_were_not_retrieved():
    matrix = grade_matrix.build([["d1"]], [{"d1": 1, "d9": 3}])
    assert ndcg.ndcg(matrix, cutoff=10).tolist() == pytest.approx([1 / (3 + 1 / math.log2(3))])


def test_the_ideal_is_cut_at_the_same_rank():
    matrix = grade_matrix.build([["d1"]], [{"d1": 3, "d2": 3}])
    assert ndcg.ndcg(matrix, cutoff=1).tolist() == [1.0]
    assert ndcg.ndcg(matrix).tolist()[0] < 1.0


def test_a_topic_without_a_relevant_passage_is_0():
    matrix = grade_matrix.build([["d1"], ["d1"]], [{"d1": 0}, {}])
    assert ndcg.ndcg(matrix, cutoff=10).tolist() == [0.0, 0.0]


def test_binarising_moves_the_ideal_too():
    matrix = grade_matrix.build([["d1", "d2"]], [{"d1": 1, "d2": 2, "d3": 3}])
    ideal = 1 + 1 / math.log2(3)
    assert ndcg.ndcg(matrix, rel=2, cutoff=10).tolist() == pytest.approx([1 / math.log2(3) / ideal])


def test_given_gains_are_used_for_the_ideal_as_well():
    matrix = grade_matrix.build([["d1", "d2"]], [{"d1": 1, "d2": 3}])
    found, ideal = 1 + 10 / math.log2(3), 10 + 1 / math.log2(3)
    assert ndcg.ndcg(matrix, gain="0/1/5/10").tolist() == pytest.approx([found / ideal])


def test_many_grade_vectors_are_scored_at_once_as_one_by_one():
    matrix = grade_matrix.build([["a", "b", "c"], ["a", "b", "x"]], [{"a": 1, "b": 3, "c": 2}, {"a": 0, "b": 2}])
    trials = np.random.default_rng(1).integers(-1, 4, size=(2, 5, *matrix.grades.shape)).astype(np.int16)
    together = ndcg.ndcg(replace(matrix, grades=trials), cutoff=2)
    assert together.shape == (2, 5, 2)
    for place in np.ndindex(2, 5):
        assert together[place].tolist() == ndcg.ndcg(replace(matrix, grades=trials[place]), cutoff=2).tolist()
