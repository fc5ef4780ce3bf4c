"""An estimate with its interval, or the reason why there is none."""

import math
from dataclasses import dataclass

Z = 1.959963984540054  # the normal distribution's 97.5 % quantile
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """`low` and `high` are the ends of a 95 % interval around `value`; where one is None, `reason` says why."""

    value: float | None
    low: float | None
    high: float | None
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        told: dict[str, object] = {"value": self.value, "low": self.low, "high": self.high}
        return told | ({"reason": self.reason} if self.reason else {})


def around(value: float, variance: float, *, times: float = Z, shift: float = 0.0, error: float = 0.0) -> Interval:
    """The value plus and minus `times` standard errors; wider by what missing grades can change (see `bounds`)."""
    width = times * (math.sqrt(max(variance, 0.0)) + error) + shift
    return Interval(value, value - width, value + width)


def refused(reason: str, value: float | None = None) -> Interval:
    return Interval(value, None, None, reason)
