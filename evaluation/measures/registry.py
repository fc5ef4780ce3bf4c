"""A measure with its parameters, and the reading of text names: `nDCG@10`, `nDCG(gain=exp)@10`, `AP(rel=2)`.

Every module of this package that has a `MEASURE` is one; adding a measure is adding its file.
"""

import importlib
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from annotate.formats import faults
from evaluation import measures
from evaluation.measures import gains, unjudged
from evaluation.measures.definition import CannotMeasure, Cutoff, Definition, ParameterValue, Parser, one_of
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


_TEXT = re.compile(r"(?P<name>[A-Za-z]+)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>\d{1,9}))?", re.ASCII)
_COMMA_BETWEEN_MEASURES = re.compile(r",(?![^()]*\))")

# How ir_measures writes what has another name here.
_IR_MEASURES_SPELLING = {
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exp"),
    ("judged_only", "False"): (UNJUDGED_PARAMETER, "zero"),
    ("judged_only", "True"): (UNJUDGED_PARAMETER, "condensed"),
}


_OF_HOLES: Mapping[str, Parser] = {UNJUDGED_PARAMETER: one_of("zero", "condensed")}


class MeasureRefused(ValueError):
    """The text is not the name of a measure; says what about it is not known."""


@cache
def definitions() -> Mapping[str, Definition]:
    """All definitions by name, in the order of the names."""
    names = sorted(module.name for module in pkgutil.iter_modules(measures.__path__))
    modules = [importlib.import_module(f"{measures.__name__}.{name}") for name in names]
    result: list[Definition] = [module.MEASURE for module in modules if hasattr(module, "MEASURE")]
    return {definition.name: definition for definition in sorted(result, key=lambda d: d.name.lower())}


def parse(text: str) -> Measure:
    """The measure that a text names. `str` of it is its canonical name, which parses to the same measure.

    >>> str(parse("nDCG@10")), str(parse("nDCG(dcg='exp-log2')@10")), str(parse("AP( rel = 2 )"))
    ('nDCG@10', 'nDCG(gain=exp)@10', 'AP(rel=2)')
    """
    parts = _TEXT.fullmatch(text.strip())
    if parts is None:
        raise MeasureRefused(
            f"{faults.quoted(text)} is not the name of a measure: written as nDCG@10 or nDCG(gain=exp)@10"
        )
    definition = _definition(parts["name"])
    given = _parameters(definition, parts["parameters"] or "")
    cutoff = _cutoff(definition, parts["cutoff"])
    return Measure(definition, given, cutoff)


def parse_list(text: str) -> list[Measure]:
    """The measures of a text that names several, with commas between them; each once, in the order given.

    >>> [str(measure) for measure in parse_list("nDCG(gain=exp,rel=2)@10, P@5,P@5")]
    ['nDCG(gain=exp,rel=2)@10', 'P@5']
    """
    return list(dict.fromkeys(parse(part) for part in _COMMA_BETWEEN_MEASURES.split(text)))


def _definition(name: str) -> Definition:
    for definition in definitions().values():
        if name == definition.name or name in definition.aliases:
            return definition
    raise MeasureRefused(f"unknown measure {faults.quoted(name)}; known are {', '.join(definitions())}")


def _parameters(definition: Definition, text: str) -> dict[str, ParameterValue]:
    parsers = _parsers(definition)
    given: dict[str, ParameterValue] = {}
    for assignment in filter(None, (part.strip() for part in text.split(","))):
        name, value = _assignment(definition, assignment)
        if name not in parsers:
            known = f"it takes {', '.join(parsers)}" if parsers else "it takes none"
            raise MeasureRefused(f"{definition.name} has no parameter {faults.quoted(name)}; {known}")
        if name in given:
            raise MeasureRefused(f"{definition.name} is given {name} twice")
        try:
            given[name] = parsers[name](value)
        except ValueError as error:
            raise MeasureRefused(f"{definition.name}: {name}={value[:60]} {error}") from None
    return {name: given[name] for name in parsers if name in given}


def _parsers(definition: Definition) -> dict[str, Parser]:
    return {**definition.parameters, **(_OF_HOLES if definition.is_treating_holes else {})}


def _assignment(definition: Definition, text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise MeasureRefused(f"{definition.name}: {faults.quoted(text)} is not written as name=value")
    value = value.strip("'\"")
    return _IR_MEASURES_SPELLING.get((name, value), (name, value))


def _cutoff(definition: Definition, text: str | None) -> int | None:
    if text is None:
        if definition.cutoff is Cutoff.REQUIRED:
            raise MeasureRefused(f"{definition.name} needs a cut-off, as in {definition.name}@10")
        return None
    if definition.cutoff is Cutoff.NONE:
        raise MeasureRefused(f"{definition.name} takes no cut-off")
    if int(text) == 0:
        raise MeasureRefused(f"{definition.name}@{text}: the cut-off is at least 1")
    return int(text)
