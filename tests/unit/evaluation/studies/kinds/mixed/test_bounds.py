"""Bounds for grades that are missing: they hold whatever these are."""

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.evaluation.studies.kinds.mixed import made

WHOLE = made.sampled(share=0.5)
MISSING = WHOLE.sampled[::9]
BOUNDED = made.result(
    dataclasses.replace(
        WHOLE,
        people={pair: grade for pair, grade in WHOLE.people.items() if pair not in MISSING},
        unanswered=dict.fromkeys(MISSING, "cannot"),
    ),
    unanswered="bounds",
)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=len(MISSING), max_size=len(MISSING)))
def test_they_contain_the_interval_that_any_grades_would_give(grades):
    people = {**WHOLE.people, **dict(zip(MISSING, grades, strict=True))}
    found = made.result(dataclasses.replace(WHOLE, people=people))
    for name in ("systems", "pairs"):
        for bounds, one in zip(BOUNDED[name], found[name], strict=True):
            if bounds["low"] is not None:
                assert bounds["low"] <= one["low"] + 1e-12
                assert bounds["high"] >= one["high"] - 1e-12


def test_they_are_said_to_be_bounds():
    assert BOUNDED["is_bounded"]
    assert BOUNDED["unanswered"] == {"cannot": len(MISSING)}
    assert BOUNDED["answered"] == BOUNDED["sample"] - len(MISSING)


def test_without_a_missing_grade_they_are_the_intervals():
    assert made.result(WHOLE, unanswered="bounds") == made.result(WHOLE)
