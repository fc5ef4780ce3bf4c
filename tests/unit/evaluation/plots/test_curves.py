import itertools

from hypothesis import given
from hypothesis import strategies as st

from evaluation.plots import curves

RISING = st.lists(st.floats(-2, 2), max_size=12).map(sorted)


@given(RISING)
def test_names_of_lines_never_lie_over_one_another_and_keep_their_order(places):
    found = curves.spaced(places, 0.1)
    assert len(found) == len(places)
    assert all(b - a >= 0.1 - 1e-9 for a, b in itertools.pairwise(found))


@given(RISING)
def test_names_that_do_not_touch_stay_beside_their_lines(places):
    apart = [place for number, place in enumerate(places) if not number or place - places[number - 1] >= 0.1]
    apart = [place for number, place in enumerate(apart) if not number or place - apart[number - 1] >= 0.1]
    assert curves.spaced(apart, 0.1) == apart
