"""What is wanted of a source study."""

from dataclasses import dataclass
from typing import Self

from pydantic import Field, model_validator

from annotate.rules import completion
from evaluation.studies.design import ResamplingPlan

PEOPLE, BOTH, MODEL, CALIBRATED = "people", "people and model", "model", "calibrated"


@dataclass(frozen=True)
class Labels:
    """Grades by which systems are scored: `rule` says whose. `is_by_chances`: a model's count by their probabilities
    where it gave them. `family`: of the model among them; empty without one, or where nobody knows."""

    name: str
    rule: str
    is_by_chances: bool = False
    family: str = ""


class Plan(ResamplingPlan):
    """`people` is the rule of the grades without a model, which the others are compared with; `model` and `calibrated`
    are names of raters, of which one is needed. Families: as `circularity` reads them. `with_assessors`: also what
    becomes of the ranking without the grades of each assessor.
    """

    people: str = Field(
        default=str(completion.Rule()),
        title="Labels without a model",
        description="All others are compared with these.",
    )
    model: str = Field(default="", description="Its grades go into the holes, and beside that count for all pairs.")
    calibrated: str = Field(
        default="", title="Calibrated judge", description="Its grades go into the holes by their probabilities."
    )
    model_family: str = Field(
        default="",
        title="Family of the model",
        description="As the runs name theirs, for instance gpt: a judge may favour runs of its own family.",
    )
    calibrated_family: str = Field(default="", title="Family of the model behind the calibrated judge")
    with_assessors: bool = Field(default=True, title="Also leave each assessor out in turn")

    @model_validator(mode="after")
    def _check_models(self) -> Self:
        if not (self.model or self.calibrated):
            raise ValueError("no model is named: choose one whose labels stand beside people's")
        return self

    @property
    def labels(self) -> tuple[Labels, ...]:
        """People's alone come first, and are the reference."""
        result = [Labels(PEOPLE, self.people)]
        if self.model:
            model = f"{completion.MODEL}{self.model}"
            result.append(Labels(BOTH, f"{self.people},{model}", family=self.model_family))
            result.append(Labels(MODEL, model, family=self.model_family))
        if self.calibrated:
            rule = f"{self.people},{completion.MODEL}{self.calibrated}"
            result.append(Labels(CALIBRATED, rule, is_by_chances=True, family=self.calibrated_family))
        return tuple(result)
