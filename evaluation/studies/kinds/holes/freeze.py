"""Hole studies: the grades of a reference that will be taken away and filled again, models' grades, texts, runs."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.formats import faults
from annotate.formats.records import GradeScale
from annotate.grades import rankings, ratings
from annotate.models import Collection
from annotate.models import raters as models_raters
from annotate.own_judges import queries as own_judges_queries
from evaluation.inputs import raters
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.holes.inputs import Inputs, Texts, index_runs
from evaluation.studies.kinds.holes.plan import LEARNED, MODEL, Filler, Plan, parse_filler
from evaluation.studies.kinds.registry import CannotStudy


@frozen.refusing(raters.NoSuchRater, PlanRefused)
def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Grades that a draw of holes took from the reference count as its grades again.

    Raises CannotStudy without runs or grades, and for a rater, a run or groups that are not there.
    """
    asked = plan.all_fillers(collection.scale)
    reference = raters.find_rater(collection, plan.reference)
    grades = _reference_grades(collection, reference)
    if not any(grade >= 0 for grade in grades.values()):
        raise CannotStudy(f"{reference.words} has no grades in this collection: there is nothing to take away.")
    return {
        "scale": frozen.name_scale(collection),
        "plan": plan.to_json(),
        "reference": {"rater": reference.address, "pairs": len(grades), "grades": _freeze_grades(grades)},
        "runs": _runs(collection, plan),
        "models": [_model(collection, filler) for filler in asked if filler.name],
        "texts": _texts(collection, grades) if any(filler.is_fitted for filler in asked) else None,
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
    plan = Plan.from_json(manifest["plan"])
    qrels = frozen.lines_by_topic(frozen.thaw_json(manifest["reference"]["grades"]))
    runs = frozen.load_runs(manifest["runs"], None if plan.needs_lists else plan.needed_depth)
    labels = {model["fill"]: frozen.thaw_json(model["grades"]) for model in manifest["models"]}
    texts = _thawed_texts(manifest["texts"])
    judges = [LEARNED, *labels]
    return Inputs(
        rankings=index_runs(runs, plan, qrels),
        qrels=qrels,
        scale=GradeScale(*manifest["scale"]),
        models={
            text: frozen.lines_by_topic(lines) for text, lines in labels.items() if parse_filler(text).kind == MODEL
        },
        model_labels={text: frozen.lines_by_pair(lines) for text, lines in labels.items()},
        texts={text: texts for text in judges if parse_filler(text).is_fitted} if texts else {},
        own_judges=[model["fill"] for model in manifest["models"] if model.get("is_own_judge")],
        groups={run["run_tag"]: run["group"] for run in manifest["runs"] if run["group"]},
    )


def _reference_grades(collection: Collection, rater: raters.NamedRater) -> dict[ratings.PairId, int]:
    if rater.kind is raters.Kind.REFERENCE and rater.row is not None:
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
    if plan.needs_groups and not any(run.group for run in chosen):
        raise CannotStudy("No run has a group, so none can be left out: say on import which runs belong together.")
    return frozen.name_runs(chosen, "group")


def _model(collection: Collection, filler: Filler) -> dict[str, Any]:
    """What a rater says: grades, to a judge also how likely each is."""
    rater = raters.find_rater(collection, filler.name)
    labels: Mapping[ratings.PairId, Any] = raters.read_grades(collection, rater)
    if filler.is_fitted and rater.kind is raters.Kind.MODEL and rater.row is not None:
        labels = ratings.model_labels(rater.row)
    if not labels:
        raise CannotStudy(f"{rater.words} has no grades in this collection to fill holes with.")
    is_own = rater.row is not None and rater.row.judge in models_raters.OWN_JUDGES
    entry = {"fill": filler.text, "rater": rater.address, "pairs": len(labels), "grades": _freeze_grades(labels)}
    return entry | ({"is_own_judge": True} if is_own else {})


def _texts(collection: Collection, graded: Iterable[ratings.PairId]) -> str:
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


def _freeze_grades(recorded: Mapping[ratings.PairId, Any]) -> str:
    return frozen.freeze_json(frozen.lines_of_pairs(recorded))
