"""What is wanted of people's and a model's labels together, and which methods make intervals of them that hold.

The figures of methods that are refused: shares of nominal 95 % intervals that held the truth when a fifth of the pairs
of TREC DL 2019 was sampled again and again, people's grades being NIST's and the model's those of GPT-4o.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from annotate.formats import faults
from evaluation.measures import gains
from evaluation.studies.design import plan_fields
from evaluation.studies.design.plan_fields import PlanRefused

FROZEN, CROSS_FITTED = "frozen", "cross-fitted"
VALID_METHODS = {
    FROZEN: "the model's grades, frozen before the sample was drawn, corrected by the sampled pairs",
    CROSS_FITTED: "the calibrated judge in place of the model, taught for each fold of the sample by the others: "
    "approximate, its intervals hold the truth a few times in a hundred less often than they say",
}
_INSTEAD = f"Use {FROZEN}: grades frozen before sampling, corrected by a random sample, for DCG over a constant"
INVALID_METHODS = {
    "plug-in-ideal": "nDCG whose ideal comes from the patched qrels: the ideal is estimated from the same grades, and "
    "95 % intervals held the truth in 91 % at best, 78 % at worst; whole topics can be sampled for nDCG itself",
    "seen-sample": "grades of a judge that learned from the sampled grades, though each was left out in its turn: the "
    "corrections are too small, and 95 % intervals held the truth in 52 %",
    "in-sample": "grades of a judge as it learned them: nothing is left to correct, and 95 % intervals held the truth "
    "in .1 %",
    "imputation": "draws from a judge's probabilities as if they were people's grades: they repeat the judge's bias, "
    "and 95 % intervals held the truth in 2 %",
    "uniform": "a sample whose probabilities depend on the model's grades, counted as if all pairs were as likely: "
    "95 % intervals held the truth in 69 %",
}


def check_method(method: str) -> None:
    """Raises PlanRefused, for a construction that is known not to be valid with why and what to do instead."""
    if method in INVALID_METHODS:
        raise PlanRefused(f"The method {method} is refused: {INVALID_METHODS[method]}. {_INSTEAD}.")
    if method not in VALID_METHODS:
        raise PlanRefused(f"method is {faults.quoted(method)}, and should be one of {', '.join(VALID_METHODS)}")


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
    method: str = FROZEN
    gain: str = "linear"
    unanswered: str = REFUSE
    rounds: int | None = None
    folds: int = 5
    seed: int = 1

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def read_plan(said: Mapping[str, object]) -> Plan:
    """The plan in JSON. Raises PlanRefused with a sentence, which for a method that is not valid says why."""
    plan_fields.check_names(said, (field.name for field in fields(Plan)))
    method = plan_fields.text(said, "method", FROZEN)
    check_method(method)
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
        return gains.check_gain(gains.gain_of_map(text))
    except ValueError as reason:
        raise PlanRefused(f"gain {faults.quoted(text)} {reason}") from None
