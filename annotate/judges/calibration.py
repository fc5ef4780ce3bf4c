"""From forecasts to probabilities, and their reliability: of pairs that are relevant with .7, 70 % should be.

Probabilities come from multinomial logistic regression on forecasts that did not know the pair. Brier, Verification of
forecasts expressed in terms of probability, Monthly Weather Review 78(1), 1950. The expected calibration error (ECE) is
that of Naeini, Cooper and Hauskrecht, AAAI 2015: ten bins of equal width.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges.mixed_model import Forecast

_FINEST = 0.5  # of the responses' spread
_DECIMALS = 6  # neither slicing nor the threads of the linear algebra library show in so many
_FOLDS = 5


class Hindsight(NamedTuple):
    """What was forecast of n judged pairs without their own grade, beside what they turned out to be."""

    forecast: Forecast
    exceedances: NDArray[np.float64]  # (n, s) what models say of the pairs, s = 0 without any
    responses: NDArray[np.float64]  # (n, b) what was forecast
    grades: NDArray[np.int64]  # (n,)

    def some(self, chosen: NDArray[np.bool_]) -> "Hindsight":
        """Of the pairs `chosen` (n,)."""
        forecast = Forecast(self.forecast.mean[chosen], self.forecast.variance[chosen])
        return Hindsight(forecast, self.exceedances[chosen], self.responses[chosen], self.grades[chosen])


class Calibrator(NamedTuple):
    """Scales forecasts, then asks a fitted regression."""

    mean: NDArray[np.float64]  # (b + 1,)
    spread: NDArray[np.float64]  # (b + 1,)
    regression: Any


def fit_calibrator(known: Hindsight) -> Calibrator:
    """Learns which forecasts came with which grade; at least two different grades.

    A forecast made without a pair's own grade is a little lower the higher that grade is: where nothing else is
    known, that would give the grade away. So the scale is never finer than a share of what is forecast.
    """
    from sklearn.linear_model import LogisticRegression

    numbers = _numbers(known.forecast)
    finest = _FINEST * np.append(known.responses.std(axis=0), 1)
    mean, spread = numbers.mean(axis=0), np.maximum(numbers.std(axis=0), finest)
    terms = _terms(numbers, known.exceedances, mean, spread)
    return Calibrator(mean, spread, LogisticRegression(max_iter=1000).fit(terms, known.grades))


def cross_fit(known: Hindsight, grades: range) -> NDArray[np.float64]:
    """(n, grades) probabilities of each judged pair from a calibrator that has not seen it: a fair check.

    Five folds, each with its share of every grade. Where one grade alone would be left, nothing is left out.
    """
    folds = np.empty(len(known.grades), np.int64)
    folds[np.argsort(known.grades, kind="stable")] = np.arange(len(folds)) % _FOLDS
    probabilities = np.empty((len(folds), len(grades)))
    for fold in range(_FOLDS):
        others = known.some(folds != fold)
        fitted = fit_calibrator(others if len(np.unique(others.grades)) > 1 else known)
        here = known.some(folds == fold)
        probabilities[folds == fold] = predict_probabilities(fitted, here.forecast, here.exceedances, grades)
    return probabilities


def predict_probabilities(
    calibrator: Calibrator, forecast: Forecast, exceedances: NDArray[np.float64], grades: range
) -> NDArray[np.float64]:
    """(n, number of `grades`) to six decimals, each row with the sum 1; grades never seen have 0."""
    terms = _terms(_numbers(forecast), exceedances, calibrator.mean, calibrator.spread)
    unrounded = calibrator.regression.predict_proba(terms)
    places = calibrator.regression.classes_ - grades.start
    rounded = np.zeros((len(unrounded), len(grades)))
    rounded[:, places] = np.round(unrounded, _DECIMALS)
    most = rounded.argmax(axis=1)
    rounded[np.arange(len(unrounded)), most] += 1 - rounded.sum(axis=1)
    return np.round(rounded, _DECIMALS)


def find_median_grades(probabilities: NDArray[np.float64], grades: range) -> NDArray[np.int64]:
    """(n,) the lowest grade that with all lower ones has at least half of the probability."""
    return np.asarray((probabilities.cumsum(axis=1) >= 0.5 - 1e-9).argmax(axis=1) + grades.start)


def _numbers(forecast: Forecast) -> NDArray[np.float64]:
    return np.column_stack([forecast.mean, np.log(forecast.variance)])


def _terms(
    numbers: NDArray[np.float64], likely: NDArray[np.float64], mean: NDArray[np.float64], spread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n, b + 2 + s): expected responses and log variance on one scale, the first one's square, and what models say."""
    scaled = (numbers - mean) / spread
    return np.column_stack([scaled, scaled[:, 0] ** 2, likely])


_BINS = 10


class Bin(NamedTuple):
    """The pairs with a probability from `low` to below `high` (the last one: to 1). Nothing is said of no pairs."""

    low: float
    high: float
    pairs: int
    predicted: float | None  # mean probability
    happened: float | None  # share that is relevant


class Reliability(NamedTuple):
    """Of so many `pairs`. `brier` (0 to 1) is the mean square error, `ece` (0 to 1) the mean gap of a pair's bin.

    Both are None without pairs. `excess` is by how much more grade there is than expected, on average.
    """

    pairs: int
    bins: tuple[Bin, ...]
    brier: float | None
    ece: float | None
    excess: float | None


class Report(NamedTuple):
    """All pairs, and those of them that some run has among its first ten, where scores are made."""

    every: Reliability
    top: Reliability


def report_reliability(
    probabilities: NDArray[np.float64],
    grades: NDArray[np.int64],
    *,
    of_grades: range,
    relevant_from: int,
    is_top: NDArray[np.bool_],
) -> Report:
    """From (n, grades) probabilities and the (n,) grades that people gave. `is_top` (n,) flags the top-ten pool."""
    everywhere = np.ones(len(grades), np.bool_)
    every, top = (
        _measure_reliability(probabilities[chosen], grades[chosen], of_grades, relevant_from)
        for chosen in (everywhere, is_top)
    )
    return Report(every, top)


def _measure_reliability(
    probabilities: NDArray[np.float64], grades: NDArray[np.int64], of_grades: range, relevant_from: int
) -> Reliability:
    relevant = probabilities[:, relevant_from - of_grades.start :].sum(axis=1)
    happened = (grades >= relevant_from).astype(np.float64)
    place = np.minimum((relevant * _BINS + 1e-9).astype(np.int64), _BINS - 1)
    bins = tuple(_measure_bin(number, relevant[place == number], happened[place == number]) for number in range(_BINS))
    if not len(grades):
        return Reliability(0, bins, None, None, None)
    gaps = np.bincount(place, relevant - happened, _BINS)
    return Reliability(
        pairs=len(grades),
        bins=bins,
        brier=float(((relevant - happened) ** 2).mean()),
        ece=float(np.abs(gaps).sum() / len(grades)),
        excess=float((grades - probabilities @ np.array(of_grades)).mean()),
    )


def _measure_bin(number: int, relevant: NDArray[np.float64], happened: NDArray[np.float64]) -> Bin:
    low, high = number / _BINS, (number + 1) / _BINS
    if not len(relevant):
        return Bin(low, high, 0, None, None)
    return Bin(low, high, len(relevant), float(relevant.mean()), float(happened.mean()))
