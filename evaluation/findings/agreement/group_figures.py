"""The figures of a group as they stand in a row: of two raters, and beside them of people among themselves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluation.agreement.groups import GroupAgreement
from evaluation.agreement.value import Value, as_json, undefined
from evaluation.engine.rater_agreement import RaterAgreement

Found = GroupAgreement | RaterAgreement
NOBODY_TWICE = "no pair was judged by two people"

FIGURES: dict[str, Callable[[Found], Value]] = {
    "alpha": lambda found: found.alpha["ordinal"],
    "kappa": lambda found: found.kappa["unweighted"],
    "binary": lambda found: found.kappa["binary"],
    "ac1": lambda found: found.ac1,
    "equal": lambda found: found.share_equal,
    "difference": lambda found: found.mean_difference,
}


@dataclass(frozen=True)
class Figures:
    """`n` pairs, and the values by the names of FIGURES."""

    n: int
    values: dict[str, Value]

    def as_json(self) -> dict[str, object]:
        return {"n": self.n, **as_json(self.values)}


@dataclass(frozen=True)
class Group:
    """`key` says which pairs. `among` is of people among themselves on pairs of the group: `n` is 0 where none was
    judged by two of them, and None is where there is nothing to set beside the figures."""

    key: str
    figures: Figures
    among: Figures | None = None

    def as_json(self) -> dict[str, object]:
        return {"key": self.key, "figures": self.figures.as_json(), "among": self.among and self.among.as_json()}


NOBODY = Figures(0, {name: undefined(NOBODY_TWICE) for name in FIGURES})


def of(found: Found) -> Figures:
    return Figures(found.n, {name: value(found) for name, value in FIGURES.items()})


def of_people(found: Found | None) -> Figures:
    """Of people among themselves, who may share no pair."""
    return of(found) if found is not None and found.n else NOBODY


def group(told: dict[str, Any]) -> Group:
    """What `Group.as_json` told."""
    return Group(told["key"], _figures(told["figures"]), told["among"] and _figures(told["among"]))


def _figures(told: dict[str, Any]) -> Figures:
    reasons = told.get("reason", {})
    return Figures(told["n"], {name: Value(told[name], reasons.get(name, "")) for name in FIGURES})
