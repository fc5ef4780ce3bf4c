"""A number that may be undefined, and then says why: never NaN outside the arithmetic, never a silent 1.0."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Value:
    """A finite number, or None with the reason why there is none."""

    value: float | None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("a value is a number without a reason, or None with one")

    @property
    def is_defined(self) -> bool:
        return self.value is not None

    @property
    def number(self) -> float:
        """The number, where the caller knows that there is one; raises ValueError with the reason if not."""
        if self.value is None:
            raise ValueError(self.reason)
        return self.value


def undefined(reason: str) -> Value:
    """The value that does not exist, for this reason."""
    return Value(None, reason)


def share(part: float, whole: float, reason: str) -> Value:
    """The part over the whole; undefined for this reason where the whole is 0."""
    return Value(part / whole) if whole else undefined(reason)


def unless_nan(number: float, reason: str) -> Value:
    """The number that array arithmetic gave; where that is NaN, undefined for this reason."""
    return undefined(reason) if math.isnan(number) else Value(float(number))


def as_json(values: Mapping[str, Value]) -> dict[str, object]:
    """The numbers by name; undefined ones are None, with their reasons by name under `reason` beside them.

    >>> as_json({"tau_a": Value(0.0), "tau_b": undefined("all grades equal")})
    {'tau_a': 0.0, 'tau_b': None, 'reason': {'tau_b': 'all grades equal'}}
    """
    reasons = {name: value.reason for name, value in values.items() if not value.is_defined}
    return {name: value.value for name, value in values.items()} | ({"reason": reasons} if reasons else {})


def list_values(found: object) -> dict[str, Value]:
    """Those among the attributes of a dataclass, by name."""
    return {name: each for name, each in vars(found).items() if isinstance(each, Value)}


def read_value(stored: Any, name: str) -> Value:
    """One of the values that `as_json` wrote.

    >>> read_value({"tau_b": None, "reason": {"tau_b": "all grades equal"}}, "tau_b")
    Value(value=None, reason='all grades equal')
    """
    return Value(stored[name], stored.get("reason", {}).get(name, ""))


Floats = NDArray[np.float64]


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    """The quotients, NaN where the denominator is 0. Raises no warning.

    >>> ratio(np.array([1, 2]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    top, bottom = np.broadcast_arrays(numerator, denominator)
    quotients = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=quotients, where=bottom != 0)
    return quotients
