"""What is wanted of a hole study."""

from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from annotate.formats import faults
from annotate.formats.records import GradeScale
from evaluation.measures import registry
from evaluation.studies.design import PlanRefused, Seed, Share, StudyPlan, Texts

RELEVANT, ALL, PER_TOPIC, UNEVEN = "relevant", "all", "per-topic", "uneven"
LEAVE_SYSTEM_OUT, LEAVE_GROUP_OUT, DEPTH = "leave-system-out", "leave-group-out", "depth"
# Patterns of which a fraction is taken, with what they take.
OF_FRACTIONS = {
    RELEVANT: "a share of each grade above the lowest, over all topics",
    ALL: "a share of each grade, over all topics",
    PER_TOPIC: "a share of the grades of each topic",
    UNEVEN: "a share of all grades, unevenly: some topics lose nearly all, others nearly none",
}
LEAVE_OUT = {
    LEAVE_SYSTEM_OUT: "what one system alone brought into the pool",
    LEAVE_GROUP_OUT: "what one group of systems alone brought into the pool",
}
_MOST_DEPTH = 1000


class Pattern(NamedTuple):
    """`text` is how it is written, such as `relevant` or `depth:5`; `depth` is that of the pool that `depth:` keeps."""

    text: str
    kind: str
    depth: int = 0

    @property
    def has_fractions(self) -> bool:
        return self.kind in OF_FRACTIONS

    @property
    def leaves_out(self) -> bool:
        """Whether each trial leaves one system or group out."""
        return self.kind in LEAVE_OUT

    @property
    def words(self) -> str:
        """What it takes away."""
        if self.kind == DEPTH:
            return f"what no system has among its first {self.depth}"
        return (OF_FRACTIONS | LEAVE_OUT)[self.kind]


def parse_pattern(text: str) -> Pattern:
    """The pattern that a text names. Raises PlanRefused.

    >>> parse_pattern("depth:5").depth, parse_pattern("relevant").has_fractions
    (5, True)
    """
    kind, _, depth = text.partition(":")
    if kind == DEPTH and depth.isascii() and depth.isdigit() and 1 <= int(depth[:5]) <= _MOST_DEPTH:
        return Pattern(f"{DEPTH}:{int(depth)}", DEPTH, int(depth))
    if text in OF_FRACTIONS or text in LEAVE_OUT:
        return Pattern(text, text)
    known = ", ".join([*OF_FRACTIONS, *LEAVE_OUT, f"{DEPTH}:K with K from 1 to {_MOST_DEPTH}"])
    raise PlanRefused(f"holes {faults.quoted(text)} are not known; known are {known}")


NONE, CONSTANT, RANDOM, PRIOR = "none", "constant", "random", "prior"
CONDENSED, BPREF = "condensed", "bpref"
MODEL, LEARNED, CALIBRATED = "model", "learned", "calibrated"
FILLER_WORDS = {
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
        return FILLER_WORDS[self.kind]


def parse_filler(text: str) -> Filler:
    """The filler that a text names. Raises PlanRefused.

    >>> parse_filler("constant:2").grade, parse_filler("model:gpt").name
    (2, 'gpt')
    """
    kind, _, rest = text.partition(":")
    if text in (NONE, RANDOM, PRIOR, CONDENSED, BPREF, LEARNED):
        return Filler(text, text)
    if kind == CONSTANT and rest.isascii() and rest.isdigit() and len(rest) <= 2:
        return Filler(f"{CONSTANT}:{int(rest)}", CONSTANT, int(rest))
    if kind in _NAMED and rest:
        return Filler(text, kind, name=rest)
    known = f"{', '.join(FILLER_WORDS)}, {CONSTANT}:N, {MODEL}:NAME, {CALIBRATED}:NAME"
    raise PlanRefused(f"filler {faults.quoted(text)} is not known; known are {known}")


def trivial_fillers(scale: GradeScale) -> list[Filler]:
    """Those that are always drawn: whoever cannot beat them knows nothing of the pairs."""
    constants = [Filler(f"{CONSTANT}:{grade}", CONSTANT, grade) for grade in scale.grades if grade > 0]
    return [parse_filler(NONE), *constants, parse_filler(RANDOM), parse_filler(PRIOR)]


CUTOFF = 10
FRACTIONS = tuple(tenths / 10 for tenths in range(1, 10))
_MOST_FRACTIONS = 99

Gain = Literal["linear", "exp"]


def _read_patterns(texts: tuple[str, ...]) -> tuple[str, ...]:
    if not texts:
        raise ValueError("holes: say at least one way to take grades away")
    return tuple(dict.fromkeys(parse_pattern(text).text for text in texts))


def _read_fillers(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parse_filler(text).text for text in texts))


def _rising(fractions: tuple[float, ...]) -> tuple[float, ...]:
    """In order, each once."""
    if not fractions:
        raise PydanticCustomError("empty", "no fraction")
    if len(fractions) > _MOST_FRACTIONS:
        raise ValueError(f"there are {len(fractions)} fractions; at most {_MOST_FRACTIONS} are taken")
    return tuple(sorted(set(fractions)))


class Plan(StudyPlan):
    """`reference` is the rater whose grades are taken away, `systems` the run tags, none for all of them.

    `holes` are patterns (`strategies.parse_pattern`), `fillers` those beside the trivial ones, which are always drawn
    (`strategies.parse_filler`). Each of the `fractions`, between 0 and 1, is taken away in `trials` draws by `seed`.
    Systems are ranked by nDCG@10 with this `gain`. `depth` is that of the pool of which systems or groups are left
    out. `level` is the error level of the tests of all pairs of systems.
    """

    reference: str = Field(
        default="reference", title="Grades that are taken away", description="They are also what the truth is."
    )
    systems: Texts = ()
    holes: Annotated[Texts, AfterValidator(_read_patterns)] = (RELEVANT, ALL)
    fillers: Annotated[Texts, AfterValidator(_read_fillers)] = (CONDENSED, BPREF)
    fractions: Annotated[tuple[Share, ...], Field(strict=False), AfterValidator(_rising)] = Field(
        default=FRACTIONS, title="Shares taken away"
    )
    trials: Annotated[int, Field(ge=1, le=1000)] = 20
    seed: Seed = 1
    gain: Gain = Field(default="linear", title="Gain of nDCG@10")
    depth: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=CUTOFF, title="Depth of the pool that a system or group is left out of"
    )
    level: Share = Field(default=0.05, title="Error level of tests between systems")

    @property
    def measure(self) -> registry.Measure:
        return registry.parse(f"nDCG(gain={self.gain})@{CUTOFF}" if self.gain != "linear" else f"nDCG@{CUTOFF}")

    @property
    def patterns(self) -> list[Pattern]:
        return [parse_pattern(text) for text in self.holes]

    @property
    def needs_groups(self) -> bool:
        return LEAVE_GROUP_OUT in self.holes

    @property
    def needs_lists(self) -> bool:
        """Whether it looks at the graded passages of all ranks."""
        return any(parse_filler(text).has_measure for text in self.fillers)

    @property
    def needed_depth(self) -> int:
        """How many ranks of the runs it looks at, whatever is there."""
        pools = [pattern.depth for pattern in self.patterns]
        return max([CUTOFF, *pools, *(self.depth for pattern in self.patterns if pattern.leaves_out)])

    def all_fillers(self, scale: GradeScale) -> list[Filler]:
        """The trivial ones and those asked for, each once. Raises PlanRefused for a constant off the scale."""
        asked = [parse_filler(text) for text in self.fillers]
        for filler in asked:
            if filler.kind == CONSTANT and filler.grade not in scale:
                raise PlanRefused(f"{filler.text} is not on the scale {scale}", "fillers")
        return list({filler.text: filler for filler in [*trivial_fillers(scale), *asked]}.values())
