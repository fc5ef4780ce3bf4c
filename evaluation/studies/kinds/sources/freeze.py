"""Source studies: runs with their model families, grades under each set of labels, and those of each assessor."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.formats.records import Qrels
from annotate.grades import completed_qrels, rankings, ratings
from annotate.models import Collection
from annotate.rules import completion
from evaluation.engine import run_index
from evaluation.inputs import raters
from evaluation.inputs.facts import Completed
from evaluation.measures import registry
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.studies.kinds.sources.inputs import Grades, Inputs
from evaluation.studies.kinds.sources.plan import Labels, Plan

MODEL = "model"


@frozen.refusing(completion.UnknownRule)
def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Raises CannotStudy without runs, and for a rule or a rater that there is not."""
    ranked = rankings.published_runs(collection)
    if len(ranked) < 2:
        raise CannotStudy("A ranking needs two systems at least: import more runs.")
    people = completion.parse_rule(plan.people, plan.consensus)
    origins = {line[:2]: line.source for line in completed_qrels.complete_qrels(collection, people)}
    return {
        "scale": frozen.name_scale(collection),
        "depth": registry.parse(plan.measure).depth,
        "runs": frozen.name_runs(ranked, "model_family"),
        "labels": [_labels(collection, labels, plan, origins) for labels in plan.labels],
        "people": _people(collection, people) if plan.with_assessors and completion.PEOPLE in people.sources else None,
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
    depth, people = manifest["depth"], manifest["people"]
    kept = frozen.thaw_json(people["kept"]) if people else {"assessors": [], "above": [], "below": []}
    return Inputs(
        runs=run_index.build(frozen.load_runs(manifest["runs"], depth), depth),
        grades={labels["name"]: _thawed(frozen.thaw_json(labels["kept"])) for labels in manifest["labels"]},
        assessors={name: frozen.lines_by_topic(lines) for name, lines in kept["assessors"]},
        above=frozen.lines_by_topic(kept["above"]),
        below=frozen.lines_by_topic(kept["below"]),
        families={run["run_tag"]: run["model_family"] for run in manifest["runs"]},
        judges={labels["name"]: labels["judge"] for labels in manifest["labels"]},
        highest=manifest["scale"][1],
    )


def _labels(
    collection: Collection, labels: Labels, plan: Plan, origins: Mapping[ratings.PairId, str]
) -> dict[str, Any]:
    result = frozen.complete_grades(collection, labels.rule, plan.consensus, with_probabilities=labels.is_by_chances)
    lines = frozen.freeze_qrels(result) | {
        "chances": frozen.lines_of_topics(result.probabilities),
        "origins": frozen.lines_of_topics(_origins(result, origins)),
    }
    return {
        "name": labels.name,
        "rule": labels.rule,
        "judge": _judge(collection, labels),
        "pairs": result.graded,
        "kept": frozen.freeze_json(lines),
    }


def _origins(result: Completed, of_people: Mapping[ratings.PairId, str]) -> dict[str, dict[str, str]]:
    """Whose the grade of each pair is; all models are one."""
    origins: dict[str, dict[str, str]] = {}
    for by_topic in (result.qrels, result.probabilities):
        for query_id, known in by_topic.items():
            for passage_id in known:
                pair = (query_id, passage_id)
                origin = MODEL if pair in result.from_models else of_people[pair]
                origins.setdefault(query_id, {})[passage_id] = origin
    return origins


def _judge(collection: Collection, labels: Labels) -> str:
    """What is known of the model behind the last source of the rule; empty where that is none."""
    _, is_model, name = labels.rule.rpartition(completion.MODEL)
    return raters.describe_judge(collection, name) if is_model else ""


def _people(collection: Collection, rule: completion.Rule) -> dict[str, Any]:
    place = rule.sources.index(completion.PEOPLE)
    decided = ratings.decisions(collection) if rule.decisions_bind_people else {}
    given = {name: _graded(collection, known, decided) for name, known in ratings.assessor_grades(collection).items()}
    kept = {
        "assessors": [[name, lines] for name, lines in sorted(given.items()) if lines],
        "above": frozen.lines_of_topics(_beside(collection, rule, rule.sources[:place])),
        "below": frozen.lines_of_topics(_beside(collection, rule, rule.sources[place + 1 :])),
    }
    return {"assessors": {name: len(lines) for name, lines in sorted(given.items())}, "kept": frozen.freeze_json(kept)}


def _graded(
    collection: Collection, known: Mapping[ratings.PairId, int], decided: Mapping[ratings.PairId, int | None]
) -> frozen.Lines:
    """What an assessor gave, near-duplicates with it, but of pairs that nobody can judge."""
    spread = ratings.propagate_grades(known, ratings.propagation_origins(collection))
    judged = {pair: grade for pair, grade in spread.items() if decided.get(pair, grade) is not None}
    return frozen.lines_of_pairs(judged)


def _beside(collection: Collection, rule: completion.Rule, sources: Sequence[str]) -> Qrels:
    if not sources:
        return {}
    beside = completion.Rule(tuple(sources), rule.consensus_rule)
    return completed_qrels.as_qrels(completed_qrels.complete_qrels(collection, beside))


def _thawed(kept: Mapping[str, Any]) -> Grades:
    return Grades(
        qrels=frozen.thaw_qrels(kept),
        origins=frozen.lines_by_topic(kept["origins"]),
        topics=frozenset(kept["topics"]),
        probabilities=frozen.lines_by_topic(kept["chances"]),
    )
