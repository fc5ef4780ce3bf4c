"""What is wanted of a hole study."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from annotate.formats.scale import GradeScale
from evaluation.measures import registry
from evaluation.measures.registry import Measure
from evaluation.studies.design.plan import PlanRefused, Seed, Share, StudyPlan, Texts
from evaluation.studies.kinds.holes import strategies
from evaluation.studies.kinds.holes.strategies import ALL, BPREF, CONDENSED, LEAVE_GROUP_OUT, RELEVANT, Filler, Pattern

CUTOFF = 10
FRACTIONS = tuple(tenths / 10 for tenths in range(1, 10))
_MOST_FRACTIONS = 99

Gain = Literal["linear", "exp"]


def _read_patterns(texts: tuple[str, ...]) -> tuple[str, ...]:
    if not texts:
        raise ValueError("holes: say at least one way to take grades away")
    return tuple(dict.fromkeys(strategies.parse_pattern(text).text for text in texts))


def _read_fillers(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(strategies.parse_filler(text).text for text in texts))


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
    def measure(self) -> Measure:
        return registry.parse(f"nDCG(gain={self.gain})@{CUTOFF}" if self.gain != "linear" else f"nDCG@{CUTOFF}")

    @property
    def patterns(self) -> list[Pattern]:
        return [strategies.parse_pattern(text) for text in self.holes]

    @property
    def needs_groups(self) -> bool:
        return LEAVE_GROUP_OUT in self.holes

    @property
    def needs_lists(self) -> bool:
        """Whether it looks at the graded passages of all ranks."""
        return any(strategies.parse_filler(text).has_measure for text in self.fillers)

    @property
    def needed_depth(self) -> int:
        """How many ranks of the runs it looks at, whatever is there."""
        pools = [pattern.depth for pattern in self.patterns]
        return max([CUTOFF, *pools, *(self.depth for pattern in self.patterns if pattern.leaves_out)])

    def all_fillers(self, scale: GradeScale) -> list[Filler]:
        """The trivial ones and those asked for, each once. Raises PlanRefused for a constant off the scale."""
        asked = [strategies.parse_filler(text) for text in self.fillers]
        for filler in asked:
            if filler.kind == strategies.CONSTANT and filler.grade not in scale:
                raise PlanRefused(f"{filler.text} is not on the scale {scale}", "fillers")
        return list({filler.text: filler for filler in [*strategies.trivial_fillers(scale), *asked]}.values())
