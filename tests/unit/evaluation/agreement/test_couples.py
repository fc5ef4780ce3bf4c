import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import alpha, kappa, pairing

GRADES = st.dictionaries(st.tuples(st.sampled_from("qr"), st.sampled_from("abcd")), st.integers(0, 3))


def test_of_two_raters_the_couples_are_their_grades_side_by_side():
    first, second = {("q", "a"): 3, ("q", "b"): 0, ("r", "c"): 1}, {("q", "a"): 2, ("q", "b"): 1}
    found, paired = pairing.list_couples([first, second]), pairing.pair(first, second)
    assert found.pairs == paired.pairs
    assert (found.first.tolist(), found.second.tolist()) == (paired.first.tolist(), paired.second.tolist())
    assert found.weight.tolist() == [1.0, 1.0]
    assert (found.n, found.alone) == (2, 1)


def test_nobody_makes_no_couple():
    assert (pairing.list_couples([]).n, pairing.list_couples([{("q", "a"): 1}]).n) == (0, 0)


@given(st.lists(GRADES, max_size=5))
def test_weighted_couples_add_up_to_krippendorffs_coincidences(raters):
    found = pairing.list_couples(raters)
    one_group = np.zeros(len(found.pairs), dtype=np.int64)
    weighted = kappa.weighted_tables(found.first, found.second, one_group, 1, range(4), found.weight)
    counts = alpha.grade_counts(pairing.side_by_side(raters)[1], range(4))
    np.testing.assert_allclose(
        alpha.coincidences_of_tables(weighted)[0], alpha.coincidences_of_counts(counts).sum(axis=0)
    )
