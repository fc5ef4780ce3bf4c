import pytest

from evaluation.agreement import value
from evaluation.agreement.value import Value


def test_a_value_without_a_number_must_say_why():
    with pytest.raises(ValueError):
        Value(None)
    with pytest.raises(ValueError):
        Value(0.5, "and a reason")


def test_reasons_stand_beside_the_numbers_only_where_something_is_undefined():
    assert value.as_json({"a": Value(1.0)}) == {"a": 1.0}
    assert value.as_json({"a": Value(1.0), "b": value.undefined("why")}) == {
        "a": 1.0,
        "b": None,
        "reason": {"b": "why"},
    }


def test_asking_an_undefined_value_for_its_number_raises_the_reason():
    assert Value(0.0).number == 0.0
    with pytest.raises(ValueError, match="no pair"):
        _ = value.undefined("no pair").number


def test_nan_becomes_undefined_with_the_reason():
    assert value.unless_nan(float("nan"), "why") == value.undefined("why")
    assert value.unless_nan(0.0, "why") == Value(0.0)
