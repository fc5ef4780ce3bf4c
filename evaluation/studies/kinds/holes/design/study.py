"""A hole study from its plan and inputs to its report."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design.report import Report
from evaluation.studies.kinds.holes.design import fitting, gathering, ground, reporting, trials
from evaluation.studies.kinds.holes.design import parts as pieces
from evaluation.studies.kinds.holes.design.inputs import Inputs, Texts
from evaluation.studies.kinds.holes.design.plan import Plan, read

__all__ = ["Inputs", "Plan", "Texts", "gather", "parts", "read", "report", "run_part"]


def parts(plan: Plan, inputs: Inputs) -> list[str]:
    """The names of what can be computed alone. Raises PlanRefused where the inputs do not hold what the plan asks."""
    return list(pieces.named(ground.of(plan, inputs)))


def run_part(plan: Plan, inputs: Inputs, name: str) -> dict[str, Any]:
    """What one part found, the same whenever it is computed; raises as `parts`."""
    on = ground.of(plan, inputs)
    part = pieces.named(on)[name]
    return fitting.of_judge(on, part) if part.fillers[0].is_fitted else trials.of_labels(on, part)


def gather(plan: Plan, inputs: Inputs, found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The result in JSON from what all parts found."""
    return gathering.gather(ground.of(plan, inputs), found)


def report(plan: Plan, result: Mapping[str, Any]) -> Report:
    """Words, figures and tables of a result."""
    return reporting.report(plan, result)
