import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.agreement import kappa


def test_a_grade_that_nobody_used_keeps_its_distance():
    table = kappa.table(np.array([0, 1, 3, 3, 0, 1]), np.array([0, 3, 3, 1, 0, 1]), range(4))
    assert kappa.kappa(table, "linear").value == pytest.approx(0.5)
    assert kappa.kappa(table, "quadratic").value == pytest.approx(4 / 7)


def test_a_judge_who_always_says_0_has_kappa_0_however_often_he_is_right():
    assert kappa.kappa(np.array([[90, 0], [10, 0]])).value == 0.0


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_one_grade_for_everything_is_undefined_and_not_1(weights):
    assert "all grades are equal" in kappa.kappa(np.diag([0, 5, 0, 0]), weights).reason


def test_two_different_constant_grades_are_defined():
    assert kappa.kappa(np.array([[0, 5], [0, 0]])).value == 0.0


def test_no_pair_is_undefined():
    assert kappa.kappa(np.zeros((4, 4), dtype=np.int64)).reason == "no pair was graded by both"


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_the_table_gives_what_scikit_learn_gives_for_the_grades(weights):
    from sklearn.metrics import cohen_kappa_score

    first, second = np.random.default_rng(3).integers(0, 4, size=(2, 60))
    expected = cohen_kappa_score(first, second, labels=range(4), weights=None if weights == "unweighted" else weights)
    assert kappa.kappa(kappa.table(first, second, range(4)), weights).value == pytest.approx(expected, abs=1e-12)


@given(arrays(np.int64, (3, 4, 4), elements=st.integers(0, 5)), st.sampled_from(kappa.WEIGHTS))
def test_many_tables_at_once_have_the_values_of_each(tables, weights):
    for table, found in zip(tables, kappa.kappas(tables, weights), strict=True):
        expected = kappa.kappa(table, weights).value
        assert np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)
