"""From forecasts to probabilities: multinomial logistic regression on forecasts that did not know the pair."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.kriging import Forecast

_FINEST = 0.5  # of the responses' spread
_DECIMALS = 6  # neither slicing nor the threads of the linear algebra library show in so many


class Calibrator(NamedTuple):
    """Scales forecasts, then asks a fitted regression."""

    mean: NDArray[np.float64]  # (b + 1,)
    spread: NDArray[np.float64]  # (b + 1,)
    regression: Any


def fit(forecast: Forecast, responses: NDArray[np.float64], grades: NDArray[np.int64]) -> Calibrator:
    """Learns which of n forecasts of `responses` (n, b) came with which grade; at least two different grades.

    A forecast made without a pair's own grade is a little lower the higher that grade is: where nothing else is
    known, that would give the grade away. So the scale is never finer than a share of what is forecast.
    """
    from sklearn.linear_model import LogisticRegression

    known = _known(forecast)
    finest = _FINEST * np.append(responses.std(axis=0), 1)
    mean, spread = known.mean(axis=0), np.maximum(known.std(axis=0), finest)
    return Calibrator(mean, spread, LogisticRegression(max_iter=1000).fit(_terms(known, mean, spread), grades))


def probabilities(calibrator: Calibrator, forecast: Forecast, grades: range) -> NDArray[np.float64]:
    """(n, number of `grades`) to six decimals, each row with the sum 1; grades never seen have 0."""
    found = calibrator.regression.predict_proba(_terms(_known(forecast), calibrator.mean, calibrator.spread))
    places = calibrator.regression.classes_ - grades.start
    rounded = np.zeros((len(found), len(grades)))
    rounded[:, places] = np.round(found, _DECIMALS)
    most = rounded.argmax(axis=1)
    rounded[np.arange(len(found)), most] += 1 - rounded.sum(axis=1)
    return np.round(rounded, _DECIMALS)


def median(probabilities: NDArray[np.float64], grades: range) -> NDArray[np.int64]:
    """(n,) the lowest grade that with all lower ones has at least half of the probability."""
    return np.asarray((probabilities.cumsum(axis=1) >= 0.5 - 1e-9).argmax(axis=1) + grades.start)


def _known(forecast: Forecast) -> NDArray[np.float64]:
    return np.column_stack([forecast.mean, np.log(forecast.variance)])


def _terms(known: NDArray[np.float64], mean: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, b + 2): expected responses and log variance on one scale, and the square of the first, the grade."""
    scaled = (known - mean) / spread
    return np.column_stack([scaled, scaled[:, 0] ** 2])
