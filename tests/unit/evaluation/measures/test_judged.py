from evaluation.measures import grade_matrix, judged


def test_negative_grades_holes_and_empty_places_are_not_judged():
    matrix = grade_matrix.build([["a", "pooled", "spam", "u"]], [{"a": 0, "pooled": -1, "spam": -2}])
    assert judged.judged(matrix, cutoff=5).tolist() == [1 / 5]


def test_only_the_first_places_are_looked_at():
    matrix = grade_matrix.build([["u", "a", "b"]], [{"a": 0, "b": 3}])
    assert judged.judged(matrix, cutoff=2).tolist() == [1 / 2]
