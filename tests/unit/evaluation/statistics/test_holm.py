import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import significance


def rejected(p_values, level):
    """As Holm tells it: from the smallest p on, reject while p is at most level / (tests that are left)."""
    places = sorted(range(len(p_values)), key=lambda place: p_values[place])
    found = set()
    for left, place in zip(range(len(places), 0, -1), places, strict=True):
        if p_values[place] * left > level:
            break
        found.add(place)
    return found


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0, 0.99))
def test_a_corrected_p_is_at_most_the_level_where_the_procedure_rejects(p_values, level):
    found = significance.adjust_by_holm(np.array(p_values))
    assert set(np.flatnonzero(found <= level)) == rejected(p_values, level)


def test_a_corrected_p_is_at_most_1():
    assert significance.adjust_by_holm(np.array([0.6, 0.9])).tolist() == [1.0, 1.0]


def test_a_test_without_p_is_no_member_of_the_family():
    found = significance.adjust_by_holm(np.array([np.nan, 0.02, np.nan, 0.01]))
    assert found[[1, 3]].tolist() == [0.02, 0.02]
    assert np.isnan(found[[0, 2]]).all()


def test_no_test_has_no_p():
    assert significance.adjust_by_holm(np.array([])).tolist() == []
