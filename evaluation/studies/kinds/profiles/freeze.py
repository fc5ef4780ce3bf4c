"""Profile studies: query variants, the runs of them and of the topics' own queries, grades before and after filling."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.formats import faults, runs
from annotate.formats.records import Variant
from annotate.grades import rankings
from annotate.models import Collection, Profile, Run
from evaluation.measures import registry
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.profiles.plan import Inputs, Plan
from evaluation.studies.kinds.registry import CannotStudy


def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Raises CannotStudy without variants or runs of them, and for a rule, a rater or a
    system that there is not."""
    listed = list(rankings.variant_records(collection))
    if not listed:
        raise CannotStudy("There are no query variants: import or write some first.")
    ranked = rankings.published_variant_runs(collection)
    if not ranked:
        raise CannotStudy("No run ranks query variants: import runs of them, or retrieve with the built-in systems.")
    _check_systems(plan, ranked)
    return {
        "scale": frozen.name_scale(collection),
        "depth": registry.parse(plan.measure).depth,
        "variants": {"number": len(listed), "mapping": frozen.freeze_json([variant[:4] for variant in listed])},
        "methods": _methods(collection),
        "before": _grades(collection, plan, plan.before),
        "after": _grades(collection, plan, plan.after) if plan.after else None,
        "runs": frozen.name_runs(ranked),
        "seed_runs": frozen.name_runs(rankings.published_runs(collection)),
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
    listed = [Variant(*entry) for entry in frozen.thaw_json(manifest["variants"]["mapping"])]
    known = {variant.variant_id for variant in listed}
    before = frozen.thaw_json(manifest["before"]["kept"])
    after = frozen.thaw_json(manifest["after"]["kept"]) if manifest["after"] else None
    return Inputs(
        runs=[runs.select_topics(run, known) for run in frozen.load_runs(manifest["runs"], manifest["depth"])],
        variants=listed,
        before=frozen.thaw_qrels(before),
        after=frozen.thaw_qrels(after) if after else None,
        before_probabilities=frozen.lines_by_topic(before["chances"]),
        after_probabilities=frozen.lines_by_topic(after["chances"]) if after else {},
        seed_runs=list(frozen.load_runs(manifest["seed_runs"], manifest["depth"])),
        methods=manifest["methods"],
        highest=manifest["scale"][1],
    )


def _check_systems(plan: Plan, ranked: Iterable[Run]) -> None:
    missing = sorted(set(plan.systems) - {run.tag for run in ranked})
    if missing:
        raise CannotStudy(f"No run of query variants has the tag {faults.quoted(missing[0])}.")


def _methods(collection: Collection) -> dict[str, str]:
    """How the variants of each profile came about: persona, group, textual ..."""
    rows = Profile.objects.filter(collection=collection, is_current=True).order_by("name")
    return {name: group.lower() for name, group in rows.values_list("name", "group")}


def _grades(collection: Collection, plan: Plan, rule: str) -> dict[str, Any]:
    is_by_chances = plan.is_by_chances and registry.parse(plan.measure).definition.is_taking_probabilities
    result = frozen.complete_grades(collection, rule, plan.consensus, with_probabilities=is_by_chances)
    kept = frozen.freeze_qrels(result) | {"chances": frozen.lines_of_topics(result.probabilities)}
    return {"rule": rule, "pairs": result.graded, "by_chances": result.by_chances, "kept": frozen.freeze_json(kept)}
