"""A profile study from plan and inputs to what was found: one part for each set of grades."""

from collections.abc import Mapping

from evaluation.engine import scoring
from evaluation.measures import registry
from evaluation.measures.grade_matrix import GradeProbabilities
from evaluation.studies.design import Json
from evaluation.studies.kinds.profiles import findings
from evaluation.studies.kinds.profiles.plan import Inputs, Plan

BEFORE, AFTER = "before", "after"


def list_parts(plan: Plan, inputs: Inputs) -> list[str]:
    """`before`, and `after` where holes were filled. Raises PlanRefused where nothing can be compared."""
    findings.choose_design(plan, inputs)
    return [BEFORE] if inputs.after is None else [BEFORE, AFTER]


def run_part(plan: Plan, inputs: Inputs, name: str) -> Json:
    """All that is found under the grades of that name. Raises PlanRefused, Refused and CannotMeasure."""
    chosen = findings.choose_design(plan, inputs)
    qrels = inputs.before if name == BEFORE else inputs.after or {}
    result = findings.score_systems(plan, inputs, chosen, qrels, _probabilities(inputs, name))
    return {
        "means": findings.profile_means(plan, chosen, result),
        "rankings": findings.correlate_rankings(chosen, result),
        "variance": findings.analyse_variance(plan, chosen, result),
        "pairs": findings.compare_system_pairs(plan, chosen, result, inputs.methods),
        "against_seed": findings.compare_with_seed(plan, chosen, result),
    }


def gather(plan: Plan, inputs: Inputs, part_results: Mapping[str, Json]) -> Json:
    """What was compared, and the findings under each set of grades in `sides`."""
    chosen = findings.choose_design(plan, inputs)
    return {
        "measure": plan.measure,
        "cutoff": scoring.judged_cutoff(registry.parse(plan.measure)),
        "variants_as": plan.variants_as,
        "level": plan.level,
        "intervals": plan.intervals_json(),
        "systems": list(chosen.systems),
        "topics": list(chosen.topics),
        "variants": len(chosen.variants),
        "profiles": [
            {"profile": profile, "method": inputs.methods.get(profile, findings.OTHER)} for profile in chosen.profiles
        ],
        "left_out": _left_out(chosen),
        "sides": [
            {
                "side": name,
                "grades": plan.before if name == BEFORE else plan.after,
                "by_chances": sum(map(len, _probabilities(inputs, name).values())),
                **part_results[name],
            }
            for name in list_parts(plan, inputs)
        ],
    }


def _probabilities(inputs: Inputs, name: str) -> Mapping[str, GradeProbabilities]:
    return inputs.before_probabilities if name == BEFORE else inputs.after_probabilities


def _left_out(chosen: findings.Design) -> dict[str, list[dict[str, str]]]:
    """Topics and systems that are not compared, each with the sentence that says why."""
    return {
        "topics": [
            {"topic": topic, "reason": f"it has no variant of {profile}" if profile else "it has no grades"}
            for topic, profile in sorted(chosen.topics_left_out.items())
        ],
        "systems": [
            {"system": system, "reason": f"it ranked no variant of {profile}"}
            for system, profile in sorted(chosen.systems_left_out.items())
        ],
    }
