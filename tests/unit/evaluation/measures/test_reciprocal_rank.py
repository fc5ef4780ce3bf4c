from evaluation.measures import grade_matrix, reciprocal_rank


def test_it_is_one_over_the_rank_of_the_first_relevant_passage():
    matrix = grade_matrix.build([["d0", "d1", "d2"]], [{"d0": 0, "d1": 1, "d2": 2}])
    assert reciprocal_rank.reciprocal_rank(matrix).tolist() == [1 / 2]
    assert reciprocal_rank.reciprocal_rank(matrix, rel=2).tolist() == [1 / 3]


def test_nothing_relevant_up_to_the_cut_off_is_0():
    matrix = grade_matrix.build([["d0", "d1"], []], [{"d0": 0, "d1": 1}, {"d1": 1}])
    assert reciprocal_rank.reciprocal_rank(matrix, cutoff=1).tolist() == [0.0, 0.0]


def test_rankings_without_any_rank_are_0():
    assert reciprocal_rank.reciprocal_rank(grade_matrix.build([[]], [{"a": 1}])).tolist() == [0.0]
