from evaluation.agreement import pairing


def test_only_pairs_that_both_graded_are_paired_and_the_rest_is_counted():
    paired = pairing.pair({("q", "b"): 3, ("q", "a"): 0, ("r", "a"): 1}, {("q", "a"): 2, ("q", "b"): 1, ("s", "a"): 1})
    assert paired.pairs == (("q", "a"), ("q", "b"))
    assert paired.first.tolist() == [0, 3]
    assert paired.second.tolist() == [2, 1]
    assert (paired.n, paired.only_first, paired.only_second) == (2, 1, 1)


def test_raters_without_a_common_pair_have_none():
    paired = pairing.pair({("q", "a"): 3}, {("q", "b"): 3})
    assert (paired.n, paired.only_first, paired.only_second) == (0, 1, 1)


def test_negative_grades_are_no_grades():
    assert pairing.grades_by_pair({"q": {"a": -1, "b": -2, "c": 0}, "r": {"a": 2}}) == {("q", "c"): 0, ("r", "a"): 2}


def test_ids_are_compared_byte_for_byte():
    paired = pairing.pair({("Q1", "é"): 1, ("q1", "e\u0301"): 1}, {("q1", "é"): 1, ("q1", "e\u0301"): 0})
    assert paired.pairs == (("q1", "e\u0301"),)


def test_many_raters_stand_side_by_side_with_gaps():
    pairs, grades = pairing.side_by_side([{("q", "b"): 1}, {("q", "a"): 2, ("q", "b"): 3}, {}])
    assert pairs == (("q", "a"), ("q", "b"))
    assert grades.tolist() == [[pairing.MISSING, 1], [2, 3], [pairing.MISSING, pairing.MISSING]]


def test_no_rater_and_no_grade_leave_empty_tables():
    assert pairing.side_by_side([])[1].shape == (0, 0)
    assert pairing.side_by_side([{}, {}])[1].shape == (2, 0)
