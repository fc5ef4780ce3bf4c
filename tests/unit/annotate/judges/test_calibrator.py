import numpy as np
import pytest

from annotate.judges import calibration
from annotate.judges.mixed_model import Forecast


def forecast(means: np.ndarray) -> Forecast:
    return Forecast(np.column_stack([means, means >= 1]).astype(float), np.ones(len(means)))


def silent(count: int) -> np.ndarray:
    return np.empty((count, 0))


def hindsight(forecast: Forecast, grades: np.ndarray, said: np.ndarray | None = None) -> calibration.Hindsight:
    responses = np.column_stack([grades, grades >= grades.max()]).astype(float)
    return calibration.Hindsight(forecast, silent(len(grades)) if said is None else said, responses, grades)


def test_probabilities_are_shares_of_what_happened():
    rng = np.random.default_rng(0)
    means = rng.choice([0.0, 1.0], 4000)
    grades = (rng.random(4000) < np.where(means > 0, 0.8, 0.1)).astype(int)
    found = calibration.fit_calibrator(hindsight(forecast(means), grades))
    likely = calibration.predict_probabilities(found, forecast(np.array([0.0, 1.0])), silent(2), range(2))
    assert likely[:, 1] == pytest.approx([0.1, 0.8], abs=0.03)


def test_what_models_say_tells_beyond_the_forecast():
    rng = np.random.default_rng(0)
    said = rng.choice([0.0, 1.0], (4000, 1))
    grades = (rng.random(4000) < np.where(said[:, 0] > 0, 0.7, 0.2)).astype(int)
    found = calibration.fit_calibrator(hindsight(forecast(np.zeros(4000)), grades, said))
    likely = calibration.predict_probabilities(found, forecast(np.zeros(2)), np.array([[0.0], [1.0]]), range(2))
    assert likely[:, 1] == pytest.approx([0.2, 0.7], abs=0.04)


def test_a_mean_without_the_own_grade_does_not_give_it_away():
    """Each forecast is the mean of all other grades: nothing is known, yet the lower it is, the higher the grade."""
    grades = np.tile([0, 1], 50)
    others = (grades.sum() - grades) / 99
    made = Forecast(np.column_stack([others, others]), np.ones(100))
    found = calibration.fit_calibrator(hindsight(made, grades))
    assert calibration.predict_probabilities(found, made, silent(100), range(2)) == pytest.approx(
        np.full((100, 2), 0.5), abs=0.02
    )


def test_rows_sum_to_one_and_grades_never_seen_have_no_probability():
    grades = np.array([1, 1, 3, 3])
    found = calibration.fit_calibrator(hindsight(forecast(np.array([0.0, 1, 2, 3])), grades))
    likely = calibration.predict_probabilities(found, forecast(np.linspace(-5, 5, 50)), silent(50), range(1, 6))
    assert likely.shape == (50, 5)
    assert likely.sum(axis=1) == pytest.approx(np.ones(50), abs=1e-12)
    assert (likely >= 0).all() and not likely[:, [1, 3, 4]].any()


def test_a_fair_check_is_not_fooled_by_what_only_the_own_pair_has():
    """Each pair has a mark of its own: a calibrator that saw it is surer than one that did not."""
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 2, 60)
    known = hindsight(forecast(rng.random(60)), grades, 9 * np.eye(60))
    seen = calibration.predict_probabilities(
        calibration.fit_calibrator(known), known.forecast, known.exceedances, range(2)
    )
    fair = calibration.cross_fit(known, range(2))
    rows = np.arange(60)
    assert seen[rows, grades].mean() > 0.85
    assert fair[rows, grades].mean() < 0.6


def test_a_fair_check_of_a_grade_that_one_pair_has_leaves_nothing_out():
    grades = np.array([0] * 9 + [1])
    known = hindsight(forecast(np.linspace(0, 1, 10)), grades)
    assert calibration.cross_fit(known, range(2)).sum(axis=1) == pytest.approx(np.ones(10))


def test_the_median_is_the_lowest_grade_that_reaches_half():
    likely = np.array([[0.5, 0.5, 0], [0.4, 0.2, 0.4], [0, 0, 1], [0.499, 0.001, 0.5]])
    assert calibration.find_median_grades(likely, range(1, 4)).tolist() == [1, 2, 3, 2]
