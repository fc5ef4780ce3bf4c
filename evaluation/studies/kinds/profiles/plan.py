"""What is wanted of a profile study."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Self

from annotate.rules import completion
from evaluation.studies.design import plan_fields


@dataclass(frozen=True)
class Plan:
    """`before` and `after` are the grades by which systems are scored, as rules of completed qrels (the command has
    names of files): the sparse ones, and those whose holes were filled; without `after` only the first are looked at.
    `is_by_chances`: a model's grades count by their probabilities, where it gave them and the measure can.

    `systems` are run tags, none for all that ranked variants of every profile. `variants_as`: see `profile_anova`.
    `level` is the error level of the tests; intervals cover `coverage` and come from `resamples` draws of topics by
    `seed`.
    """

    measure: str = "nDCG@10"
    before: str = str(completion.Rule())
    after: str = ""
    is_by_chances: bool = True
    consensus: str = completion.MAJORITY
    systems: tuple[str, ...] = ()
    variants_as: str = "averaged"
    level: float = 0.05
    coverage: float = 0.95
    resamples: int = 1000
    seed: int = 0

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"systems": list(self.systems)}

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """The plan that JSON says. Raises PlanRefused."""
        usual = cls()
        plan_fields.check_names(plan, (field.name for field in fields(cls)))
        return cls(
            measure=plan_fields.measure(plan, usual.measure),
            before=plan_fields.text(plan, "before", usual.before),
            after=plan_fields.text(plan, "after", usual.after),
            is_by_chances=plan_fields.flag(plan, "is_by_chances", usual.is_by_chances),
            consensus=plan_fields.one_of(plan, "consensus", completion.CONSENSUS_RULES),
            systems=plan_fields.texts(plan, "systems"),
            variants_as=plan_fields.one_of(plan, "variants_as", ("averaged", "replicates")),
            level=plan_fields.share(plan, "level", usual.level),
            coverage=plan_fields.share(plan, "coverage", usual.coverage),
            resamples=plan_fields.whole(plan, "resamples", usual.resamples, lowest=1, highest=100_000),
            seed=plan_fields.seed(plan),
        )
