"""What a measure is: its name, what it computes, its parameters and the function on a grade matrix."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from evaluation.measures.grade_matrix import Floats
from evaluation.measures.unjudged import RangeOf

ParameterValue = str | int | float
Parser = Callable[[str], ParameterValue]


class CannotMeasure(ValueError):
    """The measure has no value on this scale, or on grades of this kind; the sentence says why."""


class Cutoff(Enum):
    """Whether a measure takes a cut-off (the `10` of `nDCG@10`)."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


@dataclass(frozen=True, eq=False)
class Definition:
    """One measure. `compute(matrix, **parameters)` gives values of the shape (..., topic).

    `parameters` maps a name to the function that reads its text, in the order in which they are written.
    Measures with `is_treating_holes` also understand `unjudged=zero|condensed`, which changes the matrix
    before they see it. Without `is_taking_probabilities` it has a value of grades only, none of
    their probabilities.
    `range_of(matrix, **parameters)` gives the values with all holes at the lowest and at
    the highest grade, for measures of which that says something.
    """

    name: str
    sentence: str
    compute: Callable[..., Floats]
    cutoff: Cutoff
    parameters: Mapping[str, Parser] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    is_treating_holes: bool = True
    is_taking_probabilities: bool = True
    range_of: RangeOf | None = None


def threshold(text: str) -> int:
    """A grade from which a passage counts as relevant: a whole number of at least 1."""
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise ValueError("is not a whole number of at least 1")
    return int(text)


def probability(text: str) -> float:
    """A number above 0 and below 1."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError("is not a number") from None
    if not 0.0 < value < 1.0:
        raise ValueError("is not above 0 and below 1")
    return value


def one_of(*choices: str) -> Parser:
    """A parser that takes one of the given words."""

    def read_word(text: str) -> str:
        if text not in choices:
            raise ValueError(f"is none of {', '.join(choices)}")
        return text

    return read_word
