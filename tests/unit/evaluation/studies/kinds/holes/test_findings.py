import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.studies.kinds.holes import findings

NUMBERS = st.lists(st.floats(-5, 5), min_size=1, max_size=40)


@given(NUMBERS)
def test_quantiles_and_spread_are_numpys(numbers):
    found = findings.summarise(numbers)
    expected = np.quantile(numbers, [0.025, 0.5, 0.975])
    assert [found["low"], found["median"], found["high"]] == pytest.approx(expected, abs=1e-9)
    assert found["mean"] == pytest.approx(np.mean(numbers), abs=1e-9)
    if len(numbers) > 1:
        assert found["sd"] == pytest.approx(np.std(numbers, ddof=1), abs=1e-9)


def test_one_trial_has_no_spread_and_says_so():
    found = findings.summarise([0.5])
    assert (found["mean"], found["low"], found["high"], found["sd"]) == (0.5, 0.5, 0.5, None)
    assert found["reason"] == "there is one trial, and a spread needs two"


def test_trials_without_a_number_are_counted_with_their_reasons():
    found = findings.summarise([0.5, "too few", 0.7, "all equal", "too few"])
    assert (found["mean"], found["trials"]) == (pytest.approx(0.6), 2)
    assert found["undefined"] == {"all equal": 1, "too few": 2}


def test_without_any_number_all_is_undefined_for_the_commonest_reason():
    found = findings.summarise(["too few", "all equal", "too few"])
    assert {found[name] for name in ("mean", "sd", "low", "high", "median")} == {None}
    assert (found["trials"], found["reason"]) == (0, "too few")
