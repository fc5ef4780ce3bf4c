"""Hole studies: the grades of a reference that will be taken away and filled again, models' grades, texts, runs."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.formats import faults
from annotate.formats.records import GradeScale
from annotate.grades import rankings, ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Run
from annotate.models import raters as models_raters
from annotate.own_judges import queries as own_judges_queries
from evaluation.inputs import raters
from evaluation.inputs.raters import Kind, NamedRater
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.holes import inputs
from evaluation.studies.kinds.holes import plan as holes_plan
from evaluation.studies.kinds.holes.inputs import Inputs, Texts
from evaluation.studies.kinds.holes.plan import Filler, Plan
from evaluation.studies.kinds.registry import CannotStudy


def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Grades that a draw of holes took from the reference count as its grades again.

    Raises CannotStudy without runs or grades, and for a rater, a run or groups that are not there.
    """
    asked = _fillers(collection, plan)
    reference = _rater(collection, plan.reference)
    grades = _reference_grades(collection, reference)
    if not any(grade >= 0 for grade in grades.values()):
        raise CannotStudy(f"{reference.words} has no grades in this collection: there is nothing to take away.")
    return {
        "scale": frozen.name_scale(collection),
        "plan": plan.to_json(),
        "reference": {"rater": reference.address, "pairs": len(grades), "grades": _keep(grades)},
        "runs": _runs(collection, plan),
        "models": [_model(collection, filler) for filler in asked if filler.name],
        "texts": _texts(collection, grades) if any(filler.is_fitted for filler in asked) else None,
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
    """The inputs that were frozen. Raises FileNotFoundError and FileRefused where a file of them is gone or damaged."""
    plan = Plan.from_json(manifest["plan"])
    qrels = frozen.lines_by_topic(frozen.thaw_json(manifest["reference"]["grades"]))
    runs = frozen.load_runs(manifest["runs"], None if plan.needs_lists else plan.needed_depth)
    labels = {model["fill"]: frozen.thaw_json(model["grades"]) for model in manifest["models"]}
    texts = _thawed_texts(manifest["texts"])
    judges = [holes_plan.LEARNED, *labels]
    return Inputs(
        rankings=inputs.index_runs(runs, plan, qrels),
        qrels=qrels,
        scale=GradeScale(*manifest["scale"]),
        models={
            text: frozen.lines_by_topic(lines)
            for text, lines in labels.items()
            if holes_plan.parse_filler(text).kind == holes_plan.MODEL
        },
        model_labels={text: frozen.lines_by_pair(lines) for text, lines in labels.items()},
        texts={text: texts for text in judges if holes_plan.parse_filler(text).is_fitted} if texts else {},
        own_judges=[model["fill"] for model in manifest["models"] if model.get("is_own_judge")],
        groups={run["run_tag"]: run["group"] for run in manifest["runs"] if run["group"]},
    )


def _fillers(collection: Collection, plan: Plan) -> list[Filler]:
    try:
        return plan.all_fillers(collection.scale)
    except PlanRefused as reason:
        raise CannotStudy(str(reason)) from None


def _rater(collection: Collection, name: str) -> NamedRater:
    try:
        return raters.find_rater(collection, name)
    except raters.NoSuchRater as reason:
        raise CannotStudy(str(reason)) from None


def _reference_grades(collection: Collection, rater: NamedRater) -> dict[PairId, int]:
    if rater.kind is Kind.REFERENCE and rater.row is not None:
        return ratings.reference_grades(rater.row, with_dropped=True)
    return raters.read_grades(collection, rater)


def _runs(collection: Collection, plan: Plan) -> list[dict[str, str]]:
    runs = [run for run in rankings.published_runs(collection) if not run.ranks_variants]
    known = {run.tag for run in runs}
    if missing := sorted(set(plan.systems) - known):
        raise CannotStudy(f"There is no run {faults.quoted(missing[0])} in this collection.")
    chosen = [run for run in runs if not plan.systems or run.tag in plan.systems]
    if len(chosen) < 2:
        raise CannotStudy("A ranking needs two systems at least: import runs, or choose more of them.")
    _check_groups(chosen, plan)
    return [named | {"group": run.group} for named, run in zip(frozen.name_runs(chosen), chosen, strict=True)]


def _check_groups(runs: Iterable[Run], plan: Plan) -> None:
    if plan.needs_groups and not any(run.group for run in runs):
        raise CannotStudy("No run has a group, so none can be left out: say on import which runs belong together.")


def _model(collection: Collection, filler: Filler) -> dict[str, Any]:
    """What a rater says: grades, to a judge also how likely each is."""
    rater = _rater(collection, filler.name)
    labels: Mapping[PairId, Any] = raters.read_grades(collection, rater)
    if filler.is_fitted and rater.kind is Kind.MODEL and rater.row is not None:
        labels = ratings.model_labels(rater.row)
    if not labels:
        raise CannotStudy(f"{rater.words} has no grades in this collection to fill holes with.")
    is_own = rater.row is not None and rater.row.judge in models_raters.OWN_JUDGES
    entry = {"fill": filler.text, "rater": rater.address, "pairs": len(labels), "grades": _keep(labels)}
    return entry | ({"is_own_judge": True} if is_own else {})


def _texts(collection: Collection, graded: Iterable[PairId]) -> str:
    """Of the topics, and of the graded passages."""
    material, names = own_judges_queries.gather_material(collection), {passage_id for _, passage_id in graded}
    passages = own_judges_queries.read_passage_texts(material)
    result = sorted([passage_id, text] for passage_id, text in passages.items() if passage_id in names)
    if not result:
        raise CannotStudy("No graded passage has a text: a judge has nothing to read. Import passages first.")
    return frozen.freeze_json(
        {"topics": sorted([key, *both] for key, both in material.topics.items()), "passages": result}
    )


def _thawed_texts(digest: str | None) -> Texts | None:
    if digest is None:
        return None
    kept = frozen.thaw_json(digest)
    return Texts(
        topics={query_id: (text, backstory) for query_id, text, backstory in kept["topics"]},
        passages=dict(kept["passages"]),
    )


def _keep(recorded: Mapping[PairId, Any]) -> str:
    return frozen.freeze_json(frozen.lines_of_pairs(recorded))
