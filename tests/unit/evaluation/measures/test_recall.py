from evaluation.measures import grade_matrix, recall


def test_it_is_the_share_of_all_relevant_passages_of_the_topic():
    matrix = grade_matrix.build([["d1", "u", "d2"]], [{"d1": 1, "d2": 2, "d3": 3, "d4": 0}])
    assert recall.recall(matrix).tolist() == [2 / 3]
    assert recall.recall(matrix, cutoff=2).tolist() == [1 / 3]
    assert recall.recall(matrix, rel=2).tolist() == [1 / 2]


def test_a_topic_without_a_relevant_passage_is_0():
    assert recall.recall(grade_matrix.build([["d1"]], [{"d1": 0}])).tolist() == [0.0]
