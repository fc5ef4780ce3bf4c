"""What is wanted of a hole study."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from annotate.formats import faults
from annotate.formats.scale import GradeScale
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.studies.design import plan_fields
from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.holes import strategies
from evaluation.studies.kinds.holes.strategies import ALL, BPREF, CONDENSED, LEAVE_GROUP_OUT, RELEVANT, Filler, Pattern

CUTOFF = 10
GAINS = ("linear", "exp")
FRACTIONS = tuple(tenths / 10 for tenths in range(1, 10))
MOST_TRIALS = 1000
_MOST_FRACTIONS = 99


@dataclass(frozen=True)
class Plan:
    """`reference` is the rater whose grades are taken away, `systems` the run tags, none for all of them.

    `holes` are patterns (`patterns.parse`), `fillers` those beside the trivial ones, which are always drawn
    (`fillers.parse`). Each of the `fractions`, between 0 and 1, is taken away in `trials` draws by `seed`. Systems are
    ranked by nDCG@10 with this `gain`. `depth` is that of the pool of which systems or groups are left out. `level`
    is the error level of the tests of all pairs of systems.
    """

    reference: str = "reference"
    systems: tuple[str, ...] = ()
    holes: tuple[str, ...] = (RELEVANT, ALL)
    fillers: tuple[str, ...] = (CONDENSED, BPREF)
    fractions: tuple[float, ...] = FRACTIONS
    trials: int = 20
    seed: int = 1
    gain: str = "linear"
    depth: int = CUTOFF
    level: float = 0.05

    def to_json(self) -> dict[str, object]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @property
    def measure(self) -> Measure:
        return registry.parse(f"nDCG(gain={self.gain})@{CUTOFF}" if self.gain != GAINS[0] else f"nDCG@{CUTOFF}")

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
                raise PlanRefused(f"{filler.text} is not on the scale {scale}")
        return list({filler.text: filler for filler in [*strategies.trivial_fillers(scale), *asked]}.values())


def read(plan: Mapping[str, object]) -> Plan:
    """The plan that JSON says. Raises PlanRefused."""
    usual = Plan()
    said = usual.to_json() | dict(plan)
    plan_fields.check_names(plan, (field.name for field in fields(Plan)))
    holes = [strategies.parse_pattern(text).text for text in plan_fields.texts(said, "holes")]
    if not holes:
        raise PlanRefused("holes: say at least one way to take grades away")
    return Plan(
        reference=plan_fields.text(plan, "reference", usual.reference),
        systems=plan_fields.texts(plan, "systems"),
        holes=tuple(dict.fromkeys(holes)),
        fillers=_fillers(plan_fields.texts(said, "fillers")),
        fractions=_fractions(said["fractions"]),
        trials=plan_fields.whole(plan, "trials", usual.trials, lowest=1, highest=MOST_TRIALS),
        seed=plan_fields.whole(plan, "seed", usual.seed, lowest=0, highest=2**63 - 1),
        gain=plan_fields.one_of(plan, "gain", GAINS),
        depth=plan_fields.whole(plan, "depth", usual.depth, lowest=1, highest=1000),
        level=plan_fields.share(plan, "level", usual.level),
    )


def _fillers(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(strategies.parse_filler(text).text for text in texts))


def _fractions(value: object) -> tuple[float, ...]:
    """Rising, each once."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise PlanRefused(f"fractions is {faults.quoted(value)}, and should be a list of numbers between 0 and 1")
    if len(value) > _MOST_FRACTIONS:
        raise PlanRefused(f"there are {len(value)} fractions; at most {_MOST_FRACTIONS} are taken")
    return tuple(sorted({plan_fields.share({"a fraction": each}, "a fraction", 0.5) for each in value}))
