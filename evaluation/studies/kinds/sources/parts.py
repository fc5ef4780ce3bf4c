"""A source study from plan and inputs to what was found: one part for each set of labels, one for each assessor."""

from collections.abc import Mapping

from annotate.rules import completion
from evaluation.engine import scoring
from evaluation.measures import registry
from evaluation.studies.design import Json, PlanRefused
from evaluation.studies.kinds.sources import findings
from evaluation.studies.kinds.sources.inputs import Inputs
from evaluation.studies.kinds.sources.plan import Plan

_LABELS, _WITHOUT = "labels ", "without "


def list_parts(plan: Plan, inputs: Inputs) -> list[str]:
    """Raises PlanRefused where nothing can be compared."""
    if not inputs.runs.run_tags:
        raise PlanRefused("there is no run")
    if not _topics(plan, inputs):
        raise PlanRefused("no topic has grades in every set of labels")
    assessors = sorted(inputs.assessors) if _leaves_out(plan) else []
    return [f"{_LABELS}{labels.name}" for labels in plan.labels] + [f"{_WITHOUT}{name}" for name in assessors]


def run_part(plan: Plan, inputs: Inputs, name: str) -> Json:
    """Raises CannotMeasure where a measure has no value of grades that count by their probabilities."""
    topics = _topics(plan, inputs)
    if name.startswith(_WITHOUT):
        return findings.leave_assessor_out(plan, inputs, name.removeprefix(_WITHOUT), topics)
    reference, *_ = plan.labels
    labels = next(labels for labels in plan.labels if name == f"{_LABELS}{labels.name}")
    grades = inputs.grades[labels.name]
    result = findings.score_labels(plan, inputs, grades.qrels, topics, grades.probabilities)
    described = {
        "name": labels.name,
        "rule": labels.rule,
        **findings.describe_labels(plan, inputs, grades, topics, result),
    }
    if labels == reference:
        return described
    own = inputs.grades[reference.name]
    people = findings.score_labels(plan, inputs, own.qrels, topics, own.probabilities)
    return described | {"against": findings.compare_labels(plan, labels, inputs, topics, people, result)}


def gather(plan: Plan, inputs: Inputs, part_results: Mapping[str, Json]) -> Json:
    """What was compared; what was found of each set of labels, people's first; and without each assessor."""
    topics = _topics(plan, inputs)
    every = frozenset[str]().union(*(inputs.grades[labels.name].topics for labels in plan.labels))
    names = list_parts(plan, inputs)
    return {
        "measure": plan.measure,
        "cutoff": scoring.judged_cutoff(registry.parse(plan.measure)),
        "consensus": plan.consensus,
        "level": plan.level,
        "intervals": plan.intervals_json(),
        "topics": list(topics),
        "topics_left_out": sorted(every.difference(topics)),
        "systems": sorted(inputs.runs.run_tags),
        "families": dict(sorted(inputs.families.items())),
        "labels": [part_results[name] for name in names if name.startswith(_LABELS)],
        "assessors": [part_results[name] for name in names if name.startswith(_WITHOUT)],
    }


def _topics(plan: Plan, inputs: Inputs) -> tuple[str, ...]:
    """Those of every set of labels."""
    first, *others = (inputs.grades[labels.name].topics for labels in plan.labels)
    return tuple(sorted(first.intersection(*others)))


def _leaves_out(plan: Plan) -> bool:
    """Where decisions alone count, no assessor's grade does."""
    return plan.with_assessors and plan.consensus != completion.ADJUDICATED_ONLY
