import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.agreement import alpha
from tests import pace

SCALE = range(4)


def test_one_rater_is_undefined():
    assert alpha.alpha(np.array([[1, 2, 3]]), SCALE).reason == "fewer than two raters"


def test_no_rater_is_undefined():
    assert alpha.alpha(np.zeros((0, 0), dtype=np.int64), SCALE).reason == "fewer than two raters"


def test_raters_without_a_common_pair_are_undefined_and_not_1():
    grades = np.array([[1, -1, 3, -1], [-1, 2, -1, 1]])
    assert alpha.alpha(grades, SCALE).reason == alpha.NO_COMMON_PAIR


def test_one_grade_only_is_undefined():
    assert "all grades are equal" in alpha.alpha(np.full((2, 3), 2), SCALE).reason


def test_a_second_grade_that_only_one_rater_gave_to_a_pair_does_not_make_it_defined():
    assert "all grades are equal" in alpha.alpha(np.array([[2, 2, 1], [2, 2, -1]]), SCALE).reason


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_pairs_graded_once_change_nothing(level):
    grades = np.array([[0, 1, 2, 3, 1], [0, 2, 2, 3, 0], [1, 1, -1, 3, 0]])
    more = np.concatenate([grades, [[3, -1], [-1, 0], [-1, -1]]], axis=1)
    assert alpha.alpha(more, SCALE, level) == alpha.alpha(grades, SCALE, level)


def test_total_disagreement_is_negative():
    assert alpha.alpha(np.array([[0, 1], [1, 0]]), SCALE, "nominal").value == pytest.approx(-0.5)


@given(arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(1, 12)), elements=st.integers(-1, 3)))
@pytest.mark.parametrize("level", alpha.LEVELS)
def test_alpha_of_coincidences_is_that_of_krippendorff(level, grades):
    counts = alpha.grade_counts(grades, SCALE)
    found = alpha.alphas(alpha.coincidences_of_counts(counts).sum(axis=0), level)
    expected = alpha.alpha(grades, SCALE, level).value
    assert np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


def test_many_coincidence_matrices_at_once_keep_their_axes():
    matrices = np.array([[np.diag([2.0, 2.0]), np.diag([2.0, 0.0])]])
    assert alpha.alphas(matrices).shape == (1, 2)
    assert alpha.alphas(matrices)[0, 0] == 1.0


def test_a_million_pairs_do_not_overflow():
    table = np.array([[500_000, 0], [0, 500_000]])
    assert alpha.alphas(alpha.coincidences_of_tables(table), "ordinal") == 1.0


def test_a_hundred_thousand_pairs_of_three_raters_take_less_than_two_seconds():
    grades = np.random.default_rng(1).integers(0, 4, (3, 100_000))
    assert alpha.alpha(grades, SCALE).value is not None

    assert pace.measure(lambda: alpha.alpha(grades, SCALE)) < 2
