"""What is wanted of a source study."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Self

from annotate.rules import completion
from evaluation.studies.design import plan_fields
from evaluation.studies.design.plan_fields import PlanRefused

PEOPLE, BOTH, MODEL, CALIBRATED = "people", "people and model", "model", "calibrated"


@dataclass(frozen=True)
class Labels:
    """Grades by which systems are scored: `rule` says whose. `is_by_chances`: a model's count by their probabilities
    where it gave them. `family`: of the model among them; empty without one, or where nobody knows."""

    name: str
    rule: str
    is_by_chances: bool = False
    family: str = ""


@dataclass(frozen=True)
class Plan:
    """`people` is the rule of the grades without a model, which the others are compared with; `model` and `calibrated`
    are names of raters, of which one is needed. Families: as `circularity` reads them.

    `with_assessors`: also what becomes of the ranking without the grades of each assessor. `level` is the error level
    of the tests; intervals cover `coverage` and come from `resamples` draws of topics by `seed`.
    """

    measure: str = "nDCG@10"
    people: str = str(completion.Rule())
    model: str = ""
    calibrated: str = ""
    model_family: str = ""
    calibrated_family: str = ""
    consensus: str = completion.MAJORITY
    with_assessors: bool = True
    level: float = 0.05
    coverage: float = 0.95
    resamples: int = 1000
    seed: int = 0

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @property
    def labels(self) -> tuple[Labels, ...]:
        """People's alone come first, and are the reference."""
        found = [Labels(PEOPLE, self.people)]
        if self.model:
            said = f"{completion.MODEL}{self.model}"
            found.append(Labels(BOTH, f"{self.people},{said}", family=self.model_family))
            found.append(Labels(MODEL, said, family=self.model_family))
        if self.calibrated:
            rule = f"{self.people},{completion.MODEL}{self.calibrated}"
            found.append(Labels(CALIBRATED, rule, is_by_chances=True, family=self.calibrated_family))
        return tuple(found)

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """The plan that JSON says. Raises PlanRefused."""
        usual = cls()
        plan_fields.check_names(plan, (field.name for field in fields(cls)))
        found = cls(
            measure=plan_fields.measure(plan, usual.measure),
            people=plan_fields.text(plan, "people", usual.people),
            model=plan_fields.text(plan, "model", usual.model),
            calibrated=plan_fields.text(plan, "calibrated", usual.calibrated),
            model_family=plan_fields.text(plan, "model_family", usual.model_family),
            calibrated_family=plan_fields.text(plan, "calibrated_family", usual.calibrated_family),
            consensus=plan_fields.one_of(plan, "consensus", completion.CONSENSUS_RULES),
            with_assessors=plan_fields.flag(plan, "with_assessors", usual.with_assessors),
            level=plan_fields.share(plan, "level", usual.level),
            coverage=plan_fields.share(plan, "coverage", usual.coverage),
            resamples=plan_fields.whole(plan, "resamples", usual.resamples, lowest=1, highest=100_000),
            seed=plan_fields.seed(plan),
        )
        if not (found.model or found.calibrated):
            raise PlanRefused("no model is named: choose one whose labels stand beside people's")
        return found
