import numpy as np
import pytest

from annotate.judges import calibrator
from annotate.judges.kriging import Forecast


def forecast(means: np.ndarray) -> Forecast:
    return Forecast(np.column_stack([means, means >= 1]).astype(float), np.ones(len(means)))


def responses(grades: np.ndarray) -> np.ndarray:
    return np.column_stack([grades, grades >= grades.max()]).astype(float)


def test_probabilities_are_shares_of_what_happened():
    rng = np.random.default_rng(0)
    means = rng.choice([0.0, 1.0], 4000)
    grades = (rng.random(4000) < np.where(means > 0, 0.8, 0.1)).astype(int)
    found = calibrator.fit(forecast(means), responses(grades), grades)
    likely = calibrator.probabilities(found, forecast(np.array([0.0, 1.0])), range(2))
    assert likely[:, 1] == pytest.approx([0.1, 0.8], abs=0.03)


def test_a_mean_without_the_own_grade_does_not_give_it_away():
    """Each forecast is the mean of all other grades: nothing is known, yet the lower it is, the higher the grade."""
    grades = np.tile([0, 1], 50)
    others = (grades.sum() - grades) / 99
    found = calibrator.fit(Forecast(np.column_stack([others, others]), np.ones(100)), responses(grades), grades)
    likely = calibrator.probabilities(found, Forecast(np.column_stack([others, others]), np.ones(100)), range(2))
    assert likely == pytest.approx(np.full((100, 2), 0.5), abs=0.02)


def test_rows_sum_to_one_and_grades_never_seen_have_no_probability():
    grades = np.array([1, 1, 3, 3])
    found = calibrator.fit(forecast(np.array([0.0, 1, 2, 3])), responses(grades), grades)
    likely = calibrator.probabilities(found, forecast(np.linspace(-5, 5, 50)), range(1, 6))
    assert likely.shape == (50, 5)
    assert likely.sum(axis=1) == pytest.approx(np.ones(50), abs=1e-12)
    assert (likely >= 0).all() and not likely[:, [1, 3, 4]].any()


def test_the_median_is_the_lowest_grade_that_reaches_half():
    likely = np.array([[0.5, 0.5, 0], [0.4, 0.2, 0.4], [0, 0, 1], [0.499, 0.001, 0.5]])
    assert calibrator.median(likely, range(1, 4)).tolist() == [1, 2, 3, 2]
