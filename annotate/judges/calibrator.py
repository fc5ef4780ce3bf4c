"""From forecasts to probabilities: multinomial logistic regression on forecasts that did not know the pair."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.kriging import Forecast

_FINEST = 0.5  # of the responses' spread
_DECIMALS = 6  # neither slicing nor the threads of the linear algebra library show in so many


_FOLDS = 5


class Hindsight(NamedTuple):
    """What was forecast of n judged pairs without their own grade, beside what they turned out to be."""

    forecast: Forecast
    said: NDArray[np.float64]  # (n, s) what models say of the pairs, s = 0 without any
    responses: NDArray[np.float64]  # (n, b) what was forecast
    grades: NDArray[np.int64]  # (n,)

    def some(self, chosen: NDArray[np.bool_]) -> "Hindsight":
        """Of the pairs `chosen` (n,)."""
        forecast = Forecast(self.forecast.mean[chosen], self.forecast.variance[chosen])
        return Hindsight(forecast, self.said[chosen], self.responses[chosen], self.grades[chosen])


class Calibrator(NamedTuple):
    """Scales forecasts, then asks a fitted regression."""

    mean: NDArray[np.float64]  # (b + 1,)
    spread: NDArray[np.float64]  # (b + 1,)
    regression: Any


def fit(known: Hindsight) -> Calibrator:
    """Learns which forecasts came with which grade; at least two different grades.

    A forecast made without a pair's own grade is a little lower the higher that grade is: where nothing else is
    known, that would give the grade away. So the scale is never finer than a share of what is forecast.
    """
    from sklearn.linear_model import LogisticRegression

    numbers = _numbers(known.forecast)
    finest = _FINEST * np.append(known.responses.std(axis=0), 1)
    mean, spread = numbers.mean(axis=0), np.maximum(numbers.std(axis=0), finest)
    terms = _terms(numbers, known.said, mean, spread)
    return Calibrator(mean, spread, LogisticRegression(max_iter=1000).fit(terms, known.grades))


def cross_fitted(known: Hindsight, grades: range) -> NDArray[np.float64]:
    """(n, grades) probabilities of each judged pair from a calibrator that has not seen it: a fair check.

    Five folds, each with its share of every grade. Where one grade alone would be left, nothing is left out.
    """
    folds = np.empty(len(known.grades), np.int64)
    folds[np.argsort(known.grades, kind="stable")] = np.arange(len(folds)) % _FOLDS
    found = np.empty((len(folds), len(grades)))
    for fold in range(_FOLDS):
        others = known.some(folds != fold)
        fitted = fit(others if len(np.unique(others.grades)) > 1 else known)
        here = known.some(folds == fold)
        found[folds == fold] = probabilities(fitted, here.forecast, here.said, grades)
    return found


def probabilities(
    calibrator: Calibrator, forecast: Forecast, said: NDArray[np.float64], grades: range
) -> NDArray[np.float64]:
    """(n, number of `grades`) to six decimals, each row with the sum 1; grades never seen have 0."""
    found = calibrator.regression.predict_proba(_terms(_numbers(forecast), said, calibrator.mean, calibrator.spread))
    places = calibrator.regression.classes_ - grades.start
    rounded = np.zeros((len(found), len(grades)))
    rounded[:, places] = np.round(found, _DECIMALS)
    most = rounded.argmax(axis=1)
    rounded[np.arange(len(found)), most] += 1 - rounded.sum(axis=1)
    return np.round(rounded, _DECIMALS)


def median(probabilities: NDArray[np.float64], grades: range) -> NDArray[np.int64]:
    """(n,) the lowest grade that with all lower ones has at least half of the probability."""
    return np.asarray((probabilities.cumsum(axis=1) >= 0.5 - 1e-9).argmax(axis=1) + grades.start)


def _numbers(forecast: Forecast) -> NDArray[np.float64]:
    return np.column_stack([forecast.mean, np.log(forecast.variance)])


def _terms(
    numbers: NDArray[np.float64], said: NDArray[np.float64], mean: NDArray[np.float64], spread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n, b + 2 + s): expected responses and log variance on one scale, the square of the first, and what was said."""
    scaled = (numbers - mean) / spread
    return np.column_stack([scaled, scaled[:, 0] ** 2, said])
