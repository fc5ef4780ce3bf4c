"""From expected responses to probabilities: multinomial logistic regression on forecasts made without the pair itself."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.kriging import Forecast

_DECIMALS = 6  # neither slicing nor the threads of the linear algebra library show in so many


class Calibrator(NamedTuple):
    """Scales forecasts, then asks a fitted regression."""

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    regression: Any


def fit(forecast: Forecast, grades: NDArray[np.int64]) -> Calibrator:
    """Learns which of n forecasts came with which grade; at least two different grades."""
    from sklearn.linear_model import LogisticRegression

    terms = _terms(forecast)
    mean, spread = terms.mean(axis=0), terms.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1)
    return Calibrator(mean, spread, LogisticRegression(max_iter=1000).fit((terms - mean) / spread, grades))


def probabilities(calibrator: Calibrator, forecast: Forecast, grades: range) -> NDArray[np.float64]:
    """(n, number of `grades`) to six decimals, each row with the sum 1; grades never seen have 0."""
    found = calibrator.regression.predict_proba((_terms(forecast) - calibrator.mean) / calibrator.spread)
    places = calibrator.regression.classes_ - grades.start
    rounded = np.zeros((len(found), len(grades)))
    rounded[:, places] = np.round(found, _DECIMALS)
    most = rounded.argmax(axis=1)
    rounded[np.arange(len(found)), most] += 1 - rounded.sum(axis=1)
    return np.round(rounded, _DECIMALS)


def median(probabilities: NDArray[np.float64], grades: range) -> NDArray[np.int64]:
    """(n,) the lowest grade that with all lower ones has at least half of the probability."""
    return np.array(grades)[(probabilities.cumsum(axis=1) >= 0.5 - 1e-9).argmax(axis=1)]


def _terms(forecast: Forecast) -> NDArray[np.float64]:
    grade = forecast.mean[:, :1]
    return np.hstack([grade, grade**2, np.log(forecast.variance)[:, None], forecast.mean[:, 1:]])
