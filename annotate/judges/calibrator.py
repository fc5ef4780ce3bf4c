"""From forecasts to probabilities: multinomial logistic regression on forecasts that did not know the pair."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.kriging import Forecast

_FINEST = 0.5  # of the responses' spread
_DECIMALS = 6  # neither slicing nor the threads of the linear algebra library show in so many


class Calibrator(NamedTuple):
    """Scales forecasts, then asks a fitted regression."""

    mean: Forecast
    spread: Forecast
    regression: Any


def fit(forecast: Forecast, responses: NDArray[np.float64], grades: NDArray[np.int64]) -> Calibrator:
    """Learns which of n forecasts of `responses` (n, b) came with which grade; at least two different grades.

    A forecast made without a pair's own grade is a little lower the higher that grade is: where nothing else is
    known, that would give the grade away. So the scale is never finer than a share of what is forecast.
    """
    from sklearn.linear_model import LogisticRegression

    width = np.log(forecast.variance)
    mean = Forecast(forecast.mean.mean(axis=0), width.mean())
    finest = _FINEST * responses.std(axis=0)
    spread = Forecast(np.maximum(forecast.mean.std(axis=0), finest), np.maximum(width.std(), _FINEST))
    regression = LogisticRegression(max_iter=1000).fit(_terms(forecast, mean, spread), grades)
    return Calibrator(mean, spread, regression)


def probabilities(calibrator: Calibrator, forecast: Forecast, grades: range) -> NDArray[np.float64]:
    """(n, number of `grades`) to six decimals, each row with the sum 1; grades never seen have 0."""
    found = calibrator.regression.predict_proba(_terms(forecast, calibrator.mean, calibrator.spread))
    places = calibrator.regression.classes_ - grades.start
    rounded = np.zeros((len(found), len(grades)))
    rounded[:, places] = np.round(found, _DECIMALS)
    most = rounded.argmax(axis=1)
    rounded[np.arange(len(found)), most] += 1 - rounded.sum(axis=1)
    return np.round(rounded, _DECIMALS)


def median(probabilities: NDArray[np.float64], grades: range) -> NDArray[np.int64]:
    """(n,) the lowest grade that with all lower ones has at least half of the probability."""
    return np.asarray((probabilities.cumsum(axis=1) >= 0.5 - 1e-9).argmax(axis=1) + grades.start)


def _terms(forecast: Forecast, mean: Forecast, spread: Forecast) -> NDArray[np.float64]:
    """(n, b + 2): the expected responses, the square of the first (the grade), and the log variance."""
    expected = (forecast.mean - mean.mean) / spread.mean
    width = (np.log(forecast.variance) - mean.variance) / spread.variance
    return np.column_stack([expected, expected[:, 0] ** 2, width])
