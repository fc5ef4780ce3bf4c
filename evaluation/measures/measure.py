"""A measure with its parameters: what `nDCG(gain=exp)@10` means."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.measures import gains, unjudged
from evaluation.measures.definition import CannotMeasure, Definition, ParameterValue
from evaluation.measures.grade_matrix import Floats, GradeMatrix
from evaluation.measures.unjudged import Range

UNJUDGED_PARAMETER = "unjudged"


class ThresholdOffScale(CannotMeasure):
    """A passage would be relevant from a grade on that the scale does not have."""


class TakesNoProbabilities(CannotMeasure):
    """The measure needs grades, and has no value of their probabilities."""


@dataclass(frozen=True, eq=False)
class Measure:
    """A definition, the parameters that were given (in the order of the definition) and the cut-off, if any.

    Two measures are equal if their texts are.
    """

    definition: Definition
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    cutoff: int | None = None

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.parameters.items())
        parameters = f"({given})" if given else ""
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.definition.name}{parameters}{cutoff}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def depth(self) -> int | None:
        """How many ranks of a run it needs; None for all of them."""
        return None if self._is_condensed else self.cutoff

    @property
    def threshold(self) -> int:
        """The grade from which a passage counts as relevant, to say which topics have no relevant passage."""
        return int(self.parameters.get("rel", 1))

    def check(self, highest: int, *, with_probabilities: bool = False) -> None:
        """Raises CannotMeasure where its threshold or gains do not fit a scale that goes to `highest`.

        Also for a measure of grades alone, if there are to be probabilities among them.
        """
        rel = self.threshold if "rel" in self.parameters else None
        if rel is not None and rel > highest:
            raise ThresholdOffScale(
                f"{self} calls a passage relevant from grade {rel}, but the scale goes to {highest}"
            )
        gains.gain_table(str(self.parameters.get("gain", "linear")), highest, rel)
        if with_probabilities and not self.definition.is_taking_probabilities:
            raise TakesNoProbabilities(
                f"{self} counts judged passages and has no gains to expect: it needs grades, not chances"
            )

    def compute(self, matrix: GradeMatrix) -> Floats:
        """The value of each topic; (..., topic). Raises CannotMeasure as `check`."""
        self.check(matrix.highest, with_probabilities=matrix.probabilities is not None)
        treated = unjudged.condensed(matrix, self.cutoff) if self._is_condensed else matrix
        return self.definition.compute(treated, **self._arguments)

    def range_of(self, matrix: GradeMatrix) -> Range | None:
        """What the holes leave open: the values with all of them at the lowest and at the highest grade.

        None for a measure that looks at no hole (condensed, bpref, Judged) and for the residual of RBP.
        """
        if self._is_condensed or self.definition.range_of is None:
            return None
        return self.definition.range_of(matrix, **self._arguments)

    @property
    def _arguments(self) -> dict[str, ParameterValue]:
        given = {name: value for name, value in self.parameters.items() if name != UNJUDGED_PARAMETER}
        return given if self.cutoff is None else {**given, "cutoff": self.cutoff}

    @property
    def _is_condensed(self) -> bool:
        return self.parameters.get(UNJUDGED_PARAMETER) == "condensed"
