"""What is wanted of people's and a model's labels together."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from annotate.formats import quoting
from evaluation.measures import gains
from evaluation.studies.design import plan_fields
from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.mixed.design import constructions

REFUSE, BOUNDS = "refuse", "bounds"


@dataclass(frozen=True)
class Plan:
    """`draw`: the number of the recorded sample, None for the one in force or else the last one. `method`: how grades
    become intervals, see `constructions`. `gain`: linear, exp or a list. `unanswered`: what to do where sampled pairs
    have no grade of people: refuse, or widen intervals to bounds that hold whatever these grades are. `rounds`: so many
    sampled pairs of each topic count, where it was fixed before judging that it would end after so many rounds; None
    for the whole sample. `folds` and `seed`: of the method `cross-fitted` alone.
    """

    draw: int | None = None
    method: str = constructions.FROZEN
    gain: str = "linear"
    unanswered: str = REFUSE
    rounds: int | None = None
    folds: int = 5
    seed: int = 1

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def read(said: Mapping[str, object]) -> Plan:
    """The plan in JSON. Raises PlanRefused with a sentence, which for a method that is not valid says why."""
    plan_fields.check_names(said, (field.name for field in fields(Plan)))
    method = plan_fields.text(said, "method", constructions.FROZEN)
    constructions.check(method)
    return Plan(
        draw=_number(said, "draw", 1),
        method=method,
        gain=_gain(plan_fields.text(said, "gain", "linear")),
        unanswered=plan_fields.one_of(said, "unanswered", (REFUSE, BOUNDS)),
        rounds=_number(said, "rounds", 2),
        folds=plan_fields.whole(said, "folds", 5, lowest=2, highest=20),
        seed=plan_fields.whole(said, "seed", 1, lowest=0, highest=2**31 - 1),
    )


def _number(said: Mapping[str, object], name: str, lowest: int) -> int | None:
    """A whole number, or None where nothing is said."""
    return None if said.get(name) is None else plan_fields.whole(said, name, lowest, lowest=lowest, highest=2**63 - 1)


def _gain(text: str) -> str:
    try:
        return gains.check(gains.of_map(text))
    except ValueError as reason:
        raise PlanRefused(f"gain {quoting.short(text)} {reason}") from None
