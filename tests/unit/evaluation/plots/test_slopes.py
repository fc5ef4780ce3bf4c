"""Names beside the points of a slope chart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.plots import systems

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def named(values, gap):
    rows = [{"system": f"s{number}", "value": value} for number, value in enumerate(values)]
    return systems.place_names(rows, 0.0, 1.0, gap)


@given(VALUES)
def test_names_keep_apart_stay_inside_and_stand_in_the_order_of_their_values(values):
    gap = 1 / 30
    found = named(values, gap)
    places = [row["at"] for row in found]
    assert all(after - before >= gap - 1e-9 for before, after in zip(places, places[1:], strict=False))
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert [row["value"] for row in found] == sorted(values)


def test_a_name_with_room_stands_beside_its_point():
    assert [(row["text"], row["at"]) for row in named([0.25, 0.75], 0.1)] == [("s0 0.250", 0.25), ("s1 0.750", 0.75)]
    assert [row["at"] for row in named([0.5, 0.5], 0.1)] == pytest.approx([0.45, 0.55])
