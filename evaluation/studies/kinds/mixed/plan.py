"""What is wanted of people's and a model's labels together, and which methods make intervals of them that hold.

The figures of methods that are refused: shares of nominal 95 % intervals that held the truth when a fifth of the pairs
of TREC DL 2019 was sampled again and again, people's grades being NIST's and the model's those of GPT-4o.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from annotate.formats import faults
from evaluation.measures import gains
from evaluation.studies.design import LARGEST, StudyPlan

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


REFUSE: Literal["refuse"] = "refuse"
BOUNDS: Literal["bounds"] = "bounds"


def _check_method(method: str) -> str:
    """Of a method that is known not to be valid it says why, and what to do instead."""
    if method in INVALID_METHODS:
        raise ValueError(f"The method {method} is refused: {INVALID_METHODS[method]}. {_INSTEAD}.")
    if method not in VALID_METHODS:
        raise PydanticCustomError("choice", "no such method")
    return method


def _read_gain(text: str) -> str:
    try:
        return gains.check_gain(gains.gain_of_map(text))
    except ValueError as reason:
        raise ValueError(f"gain {faults.quoted(text)} {reason}") from None


Method = Annotated[str, AfterValidator(_check_method), WithJsonSchema({"type": "string", "enum": [*VALID_METHODS]})]


class Plan(StudyPlan):
    """`draw`: the number of the recorded sample, None for the one in force or else the last one. `method`: how grades
    become intervals. `gain`: linear, exp or a list. `unanswered`: what to do where sampled pairs have no grade of
    people: refuse, or widen intervals to bounds that hold whatever these grades are. `rounds`: so many sampled pairs
    of each topic count, where it was fixed before judging that it would end after so many rounds; None for the whole
    sample. `folds` and `seed`: of the method `cross-fitted` alone.
    """

    draw: Annotated[int, Field(ge=1, le=LARGEST)] | None = Field(default=None, title="Sample")
    method: Method = FROZEN
    gain: Annotated[str, AfterValidator(_read_gain)] = "linear"
    unanswered: Literal["refuse", "bounds"] = Field(default=REFUSE, title="Where sampled pairs have no grade of people")
    rounds: Annotated[int, Field(ge=2, le=LARGEST)] | None = Field(
        default=None,
        title="Rounds that count",
        description="Only if it was fixed before judging that it would end after so many pairs of each topic.",
    )
    folds: Annotated[int, Field(ge=2, le=20)] = Field(default=5, description="Of the calibrated judge alone.")
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1
