import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules import perturbations


def test_it_is_wilsons_interval():
    # Newcombe 1998 (Statistics in Medicine 17), table I, method 3: 81 of 263, 0 of 20, 29 of 29.
    found = [perturbations.share_with_interval(*counts) for counts in ((81, 263), (0, 20), (29, 29))]
    assert [(round(one.low, 4), round(one.high, 4)) for one in found] == [(0.2553, 0.3662), (0, 0.1611), (0.883, 1)]


def test_a_share_of_nothing_is_none():
    assert perturbations.share_with_interval(0, 0) is None


@given(st.integers(1, 10**6))
def test_of_none_it_begins_at_0_and_of_all_it_ends_at_1_to_the_last_digit(of):
    assert perturbations.share_with_interval(0, of).low == 0.0
    assert perturbations.share_with_interval(of, of).high == 1.0


@given(st.integers(1, 10**6).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_holds_the_share(counts):
    one = perturbations.share_with_interval(*counts)
    assert 0 <= one.low <= one.value + 1e-12 and one.value - 1e-12 <= one.high <= 1
    mirrored = perturbations.share_with_interval(counts[1] - counts[0], counts[1])
    assert mirrored.high == pytest.approx(1 - one.low)
