"""What a plan of a study says, read from JSON that anybody may have written: each fault has its sentence."""

from collections.abc import Iterable, Mapping, Sequence

from annotate.formats import faults
from evaluation.measures import registry
from evaluation.measures.registry import MeasureRefused

_MOST_SEED = 2**63 - 1


class PlanRefused(ValueError):
    """A plan cannot be understood, or asks for what there is not; the sentence says what."""


def check_names(plan: Mapping[str, object], known: Iterable[str]) -> None:
    """Raises PlanRefused for a field that the plan of this study does not have."""
    names = sorted(known)
    for name in plan:
        if name not in names:
            raise PlanRefused(f"the plan has no {faults.quoted(name)}; it has {', '.join(names)}")


def text(plan: Mapping[str, object], name: str, otherwise: str) -> str:
    value = plan.get(name, otherwise)
    if not isinstance(value, str):
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be text")
    return value


def texts(plan: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts, each once; empty where there is none."""
    value = plan.get(name, ())
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(each, str) for each in value):
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be a list of texts")
    return tuple(dict.fromkeys(value))


def flag(plan: Mapping[str, object], name: str, otherwise: bool) -> bool:
    value = plan.get(name, otherwise)
    if not isinstance(value, bool):
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be true or false")
    return value


def whole(plan: Mapping[str, object], name: str, otherwise: int, *, lowest: int, highest: int) -> int:
    value = plan.get(name, otherwise)
    if type(value) is not int or not lowest <= value <= highest:
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be a whole number from {lowest} to {highest}")
    return value


def share(plan: Mapping[str, object], name: str, otherwise: float) -> float:
    """A number between 0 and 1, both excluded."""
    value = plan.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < 1.0:
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be a number between 0 and 1")
    return float(value)


def one_of(plan: Mapping[str, object], name: str, choices: Sequence[str]) -> str:
    """One of the choices; the first where nothing is said."""
    value = text(plan, name, choices[0])
    if value not in choices:
        raise PlanRefused(f"{name} is {faults.quoted(value)}, and should be one of {', '.join(choices)}")
    return value


def measure(plan: Mapping[str, object], otherwise: str) -> str:
    """The measure in its own spelling."""
    try:
        return str(registry.parse(text(plan, "measure", otherwise)))
    except MeasureRefused as error:
        raise PlanRefused(str(error)) from error


def seed(plan: Mapping[str, object]) -> int:
    return whole(plan, "seed", 0, lowest=0, highest=_MOST_SEED)
