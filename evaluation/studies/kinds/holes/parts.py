"""A hole study in parts: some trials of one pattern and fraction, with all fillers of labels or with one judge."""

from collections.abc import Mapping

from evaluation.studies.design import Json
from evaluation.studies.kinds.holes import findings, judges, trials
from evaluation.studies.kinds.holes.inputs import Inputs, prepare_inputs
from evaluation.studies.kinds.holes.plan import Plan


def list_parts(plan: Plan, inputs: Inputs) -> list[str]:
    """Raises PlanRefused where the inputs do not hold what the plan asks."""
    return list(trials.split_into_parts(prepare_inputs(plan, inputs)))


def run_part(plan: Plan, inputs: Inputs, name: str) -> Json:
    prepared = prepare_inputs(plan, inputs)
    part = trials.split_into_parts(prepared)[name]
    run = judges.run_judge_trial if part.fillers[0].is_fitted else trials.run_label_trials
    return run(prepared, part)


def gather(plan: Plan, inputs: Inputs, part_results: Mapping[str, Json]) -> Json:
    return findings.gather_findings(prepare_inputs(plan, inputs), part_results)
