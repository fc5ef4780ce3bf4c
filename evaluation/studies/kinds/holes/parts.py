"""A hole study from its plan and inputs to its report."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design.reporting import Report
from evaluation.studies.kinds.holes import draws as pieces
from evaluation.studies.kinds.holes import findings, judges, trials
from evaluation.studies.kinds.holes import inputs as holes_inputs
from evaluation.studies.kinds.holes import report as holes_report
from evaluation.studies.kinds.holes.inputs import Inputs, Texts
from evaluation.studies.kinds.holes.plan import Plan, read

__all__ = ["Inputs", "Plan", "Texts", "gather", "parts", "read", "report", "run_part"]


def parts(plan: Plan, inputs: Inputs) -> list[str]:
    """The names of what can be computed alone. Raises PlanRefused where the inputs do not hold what the plan asks."""
    return list(pieces.list_parts(holes_inputs.prepare_inputs(plan, inputs)))


def run_part(plan: Plan, inputs: Inputs, name: str) -> dict[str, Any]:
    """What one part found, the same whenever it is computed; raises as `parts`."""
    on = holes_inputs.prepare_inputs(plan, inputs)
    part = pieces.list_parts(on)[name]
    return judges.run_judge_trial(on, part) if part.fillers[0].is_fitted else trials.run_label_trials(on, part)


def gather(plan: Plan, inputs: Inputs, found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The result in JSON from what all parts found."""
    return findings.gather_findings(holes_inputs.prepare_inputs(plan, inputs), found)


def report(plan: Plan, result: Mapping[str, Any]) -> Report:
    """Words, figures and tables of a result."""
    return holes_report.report(plan, result)
