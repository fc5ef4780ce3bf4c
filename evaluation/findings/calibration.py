"""How far the probabilities of Lacuna's own judge mean what they say, as its versions wrote it down when trained."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotate.judges.reliability import Bin, Reliability
from annotate.models import Rater
from evaluation.agreement.value import Value, undefined


@dataclass(frozen=True)
class Part:
    """On some of the judged pairs. `brier` and `ece` 0 to 1; `excess`: grade beyond what was expected, on average."""

    name: str
    pairs: int
    brier: Value
    ece: Value
    excess: Value
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Calibration:
    """Of a version; relevant is what has grade `relevant_from` or more."""

    relevant_from: int
    parts: tuple[Part, ...]


EVERY, TOP = "all judged pairs", "the first ten of any run"
_NO_PAIRS = {"every": "no pair is judged", "top": "no judged pair is among the first ten of a pooled run"}


def of(version: Rater) -> Calibration | None:
    """None where the version has no probabilities of its own, or is not trained yet."""
    told = version.parameters.get("calibration")
    if not told:
        return None
    parts = (_part(EVERY, told["every"], _NO_PAIRS["every"]), _part(TOP, told["top"], _NO_PAIRS["top"]))
    return Calibration(told["relevant_from"], parts)


def _part(name: str, told: Mapping[str, Any], no_pairs: str) -> Part:
    found = Reliability(**{**told, "bins": tuple(Bin(**each) for each in told["bins"])})
    figures = (found.brier, found.ece, found.excess)
    brier, ece, excess = (undefined(no_pairs) if figure is None else Value(figure) for figure in figures)
    return Part(name, found.pairs, brier, ece, excess, found.bins)
