"""What a figure did over trials: its mean and spread, and why it was undefined where it was."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.agreement.ratios import Floats

LOW, MIDDLE, HIGH = 0.025, 0.5, 0.975
_NAMES = ("mean", "sd", "low", "high", "median")
_ONE = "there is one trial, and a spread needs two"

Figure = Sequence[float | int | str]


def of_each(figures: Mapping[str, Figure]) -> dict[str, dict[str, object]]:
    """What `of` says of each of some figures of the same trials, those that are all there at once."""
    whole = [name for name, values in figures.items() if not any(isinstance(value, str) for value in values)]
    columns = np.array([figures[name] for name in whole], np.float64).T
    found = dict(zip(whole, of_columns(columns), strict=True)) if whole else {}
    return {name: found[name] if name in found else of(values) for name, values in figures.items()}


def of(values: Figure) -> dict[str, object]:
    """Mean, standard deviation, median, the 2.5 and 97.5 % quantiles (`low`, `high`) over the `trials` that have one.

    A trial without a number is its reason instead; these are counted under `undefined`. Without any number all are
    None, and `reason` says why in most trials; with a single one `sd` is None.

    >>> of([0.5, 0.7, "nothing was taken away"])["undefined"]
    {'nothing was taken away': 1}
    """
    numbers = [value for value in values if not isinstance(value, str)]
    reasons = Counter(value for value in values if isinstance(value, str))
    undefined = {"undefined": dict(sorted(reasons.items()))} if reasons else {}
    if not numbers:
        why = min(reasons, key=lambda reason: (-reasons[reason], reason), default="there is no trial")
        return {**dict.fromkeys(_NAMES), "trials": 0, "reason": why, **undefined}
    [found] = of_columns(np.array(numbers, np.float64)[:, np.newaxis])
    return found | undefined


def of_columns(values: Floats) -> list[dict[str, object]]:
    """The same of each column of (trials, n), in which every number is there.

    >>> [found["mean"] for found in of_columns(np.array([[1.0, 2.0], [3.0, 2.0]]))]
    [2.0, 2.0]
    """
    low, median, high = _quantiles(np.sort(values, axis=0))
    rows = zip(values.mean(axis=0).tolist(), _spreads(values), low, high, median, strict=True)
    unknown = {"reason": _ONE} if len(values) < 2 else {}
    return [{**dict(zip(_NAMES, row, strict=True)), "trials": len(values), **unknown} for row in rows]


def _spreads(values: Floats) -> list[float | None]:
    return values.std(axis=0, ddof=1).tolist() if len(values) > 1 else [None] * values.shape[1]


def _quantiles(rising: Floats) -> list[list[float]]:
    """As numpy's own by default, in a fifth of its time: a study has thousands of short lists."""
    places = (len(rising) - 1) * np.array([[LOW], [MIDDLE], [HIGH]])
    below = places.astype(np.intp)[:, 0]
    above = np.minimum(below + 1, len(rising) - 1)
    found: list[list[float]] = (
        rising[below] + (places - below[:, np.newaxis]) * (rising[above] - rising[below])
    ).tolist()
    return found
