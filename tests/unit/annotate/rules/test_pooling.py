import pytest

from annotate.rules import drawing


def test_the_pool_is_the_union_of_the_top_ranks_with_the_best_rank_of_each():
    runs = [{"q1": ["a", "b", "c"], "q2": ["x"]}, {"q1": ["b", "d"]}]
    assert drawing.pool_runs(runs, 2) == {("q1", "a"): 1, ("q1", "b"): 1, ("q2", "x"): 1, ("q1", "d"): 2}


def test_a_depth_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        drawing.pool_runs([], 0)
