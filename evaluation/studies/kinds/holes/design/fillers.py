"""What a study puts into holes."""

from typing import NamedTuple

from annotate.formats import quoting
from annotate.formats.scale import GradeScale
from evaluation.studies.design.plan_fields import PlanRefused

NONE, CONSTANT, RANDOM, PRIOR = "none", "constant", "random", "prior"
CONDENSED, BPREF = "condensed", "bpref"
MODEL, LEARNED, CALIBRATED = "model", "learned", "calibrated"
WORDS = {
    NONE: "nothing: an unjudged passage gains nothing",
    RANDOM: "grades drawn evenly from the scale",
    PRIOR: "grades drawn from those that remain",
    CONDENSED: "nothing: nDCG of lists without what is not judged",
    BPREF: "nothing: bpref, which passes over what is not judged",
    LEARNED: "grades of the judge that learns from texts and the grades that remain",
}
_NAMED = (MODEL, LEARNED, CALIBRATED)


class Filler(NamedTuple):
    """`text` is how it is written: `constant:2`, `model:NAME`. `name` is what follows a model or judge."""

    text: str
    kind: str
    grade: int = 0
    name: str = ""

    @property
    def is_trivial(self) -> bool:
        """Whether it knows nothing of the pairs."""
        return self.kind in (NONE, CONSTANT, RANDOM, PRIOR)

    @property
    def is_fitted(self) -> bool:
        """Whether it learns from what remains, in each trial anew."""
        return self.kind in (LEARNED, CALIBRATED)

    @property
    def is_drawn(self) -> bool:
        return self.kind in (RANDOM, PRIOR)

    @property
    def has_measure(self) -> bool:
        """Whether it fills nothing, and is a measure of its own instead."""
        return self.kind in (CONDENSED, BPREF)

    @property
    def words(self) -> str:
        if self.kind == CONSTANT:
            return f"grade {self.grade} in every hole"
        if self.kind == MODEL:
            return f"grades of {self.name}"
        if self.kind == CALIBRATED:
            return f"grades of {self.name}, calibrated by the grades that remain"
        return WORDS[self.kind]


def parse(text: str) -> Filler:
    """The filler that a text names. Raises PlanRefused.

    >>> parse("constant:2").grade, parse("model:gpt").name
    (2, 'gpt')
    """
    kind, _, rest = text.partition(":")
    if text in (NONE, RANDOM, PRIOR, CONDENSED, BPREF, LEARNED):
        return Filler(text, text)
    if kind == CONSTANT and rest.isascii() and rest.isdigit() and len(rest) <= 2:
        return Filler(f"{CONSTANT}:{int(rest)}", CONSTANT, int(rest))
    if kind in _NAMED and rest:
        return Filler(text, kind, name=rest)
    known = f"{', '.join(WORDS)}, {CONSTANT}:N, {MODEL}:NAME, {CALIBRATED}:NAME"
    raise PlanRefused(f"filler {quoting.short(text)} is not known; known are {known}")


def trivial(scale: GradeScale) -> list[Filler]:
    """Those that are always drawn: whoever cannot beat them knows nothing of the pairs."""
    constants = [Filler(f"{CONSTANT}:{grade}", CONSTANT, grade) for grade in scale.grades if grade > 0]
    return [parse(NONE), *constants, parse(RANDOM), parse(PRIOR)]
