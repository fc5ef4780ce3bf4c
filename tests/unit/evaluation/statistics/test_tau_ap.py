import pytest

from evaluation.statistics.rank_correlation import tau_ap


def scores(ranking, names):
    """Scores that put the names in the order of `ranking`."""
    return [-float(ranking.index(name)) for name in names]


def test_it_is_not_symmetric_and_the_reference_comes_first():
    """Worked by hand, with the reference ABC and the other BCA.

    Down BCA: C has B above, rightly (1/1); A has B and C above, both wrongly (0/2): 2 * (1 + 0) / 2 - 1 = 0.
    The other way, down ABC by BCA: B has A above, wrongly (0/1); C has A wrongly and B rightly (1/2):
    2 * (0 + 1/2) / 2 - 1 = -1/2.
    """
    abc, bca = scores("ABC", "ABC"), scores("BCA", "ABC")
    assert tau_ap(abc, bca, "ABC").value == 0.0
    assert tau_ap(bca, abc, "ABC").value == -0.5


def test_a_swap_at_the_top_costs_more_than_one_at_the_bottom():
    top = tau_ap(scores("ABCDE", "ABCDE"), scores("BACDE", "ABCDE"), "ABCDE").number
    bottom = tau_ap(scores("ABCDE", "ABCDE"), scores("ABCED", "ABCDE"), "ABCDE").number
    assert top < bottom


def test_tied_systems_stand_in_the_order_of_their_names():
    assert tau_ap([3, 2, 1], [1, 1, 0], ["a", "b", "c"]).value == 1.0
    assert tau_ap([3, 2, 1], [1, 1, 0], ["b", "a", "c"]).value == pytest.approx(0.0)


def test_the_order_in_which_the_systems_are_given_does_not_matter():
    reference, other = [5, 4, 3, 2, 1], [3, 5, 1, 2, 4]
    assert tau_ap(reference[::-1], other[::-1], "EDCBA") == tau_ap(reference, other, "ABCDE")


def test_one_system_and_constant_scores_are_undefined():
    assert tau_ap([1.0], [1.0], "A").reason == "fewer than two to compare"
    assert tau_ap([1, 1], [1, 2], "AB").reason == "all scores of the reference are equal"
    assert tau_ap([1, 2], [1, 1], "AB").reason == "all scores of the other ranking are equal"
