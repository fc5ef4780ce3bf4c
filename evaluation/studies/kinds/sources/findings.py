"""What is found of one set of labels, alone and against people's, and without the grades of one assessor; as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.formats.records import Qrels
from annotate.rules import completion
from evaluation.agreement import value
from evaluation.engine import circularity, ranking_shift, scoring
from evaluation.engine.run_index import RunIndex
from evaluation.measures import grade_matrix, registry
from evaluation.measures.grade_matrix import Floats, GradeProbabilities
from evaluation.statistics import system_pairs
from evaluation.statistics.bootstrap import Resampling
from evaluation.studies.design import Json
from evaluation.studies.kinds.sources.inputs import Grades, Inputs, Origins
from evaluation.studies.kinds.sources.plan import Labels, Plan

HOLE = "hole"


@dataclass(frozen=True, eq=False)
class Scored:
    """`values` (systems, topics) and the mean of Judged@k of each system, in the order of the tags."""

    systems: tuple[str, ...]
    values: Floats
    judged: tuple[float, ...]


def score_labels(
    plan: Plan, inputs: Inputs, qrels: Qrels, topics: tuple[str, ...], probabilities: Mapping[str, GradeProbabilities]
) -> Scored:
    """Raises GradeOffScale, NoDistribution and CannotMeasure."""
    asked = registry.parse(plan.measure)
    result = scoring.score_runs(
        inputs.runs, qrels, [asked], topics=topics, highest=inputs.highest, probabilities=probabilities
    )
    ordered = sorted(result, key=lambda run: run.run_tag)
    values = [[run.measures[asked].by_topic[topic] for topic in topics] for run in ordered]
    return Scored(
        systems=tuple(run.run_tag for run in ordered),
        values=np.array(values, dtype=np.float64).reshape(len(ordered), len(topics)),
        judged=tuple(run.measures[asked].judged.number for run in ordered),
    )


def origin_shares(
    runs: RunIndex, origins: Origins, measure: registry.Measure, topics: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Of each system, the share of its first ranks by whose label stands there; `hole` without one. 0 where nothing
    was retrieved."""
    names = [HOLE, *sorted({origin for topic in topics for origin in origins.get(topic, {}).values()})]
    codes = np.zeros(len(runs.passage_ids) + 1, dtype=np.int64)
    codes[-1] = len(names)
    for topic in topics:
        places, given = runs.places.get(topic, {}), origins.get(topic, {})
        for passage_id in places.keys() & given.keys():
            codes[places[passage_id]] = names.index(given[passage_id])
    columns = [place for place, topic in enumerate(runs.topics) if topic in set(topics)]
    ranks = grade_matrix.cut(runs.at_ranks[:, columns], scoring.judged_cutoff(measure))
    counts = [np.bincount(codes[each].ravel(), minlength=len(names) + 1)[:-1] for each in ranks]
    return {
        tag: dict(zip(names, (count / max(count.sum(), 1)).tolist(), strict=True))
        for tag, count in sorted(zip(runs.run_tags, counts, strict=True), key=lambda each: each[0])
    }


def describe_labels(plan: Plan, inputs: Inputs, grades: Grades, topics: tuple[str, ...], scored: Scored) -> Json:
    """`systems`: mean, interval, Judged@k and whose labels stand at the first ranks; `graded`: how many labels there
    are of whom."""
    shares = origin_shares(inputs.runs, grades.origins, registry.parse(plan.measure), topics)
    means = system_pairs.means(scored.values).tolist()
    intervals = system_pairs.mean_intervals(scored.values, scored.systems, plan.resampling)
    counts: dict[str, int] = {}
    for topic in topics:
        for origin in grades.origins.get(topic, {}).values():
            counts[origin] = counts.get(origin, 0) + 1
    return {
        "systems": [
            {"system": system, "mean": mean, **value.as_json(interval.ends), "judged": judged, "labels": shares[system]}
            for system, mean, interval, judged in zip(scored.systems, means, intervals, scored.judged, strict=True)
        ],
        "graded": dict(sorted(counts.items())),
    }


def compare_labels(
    plan: Plan, labels: Labels, inputs: Inputs, topics: tuple[str, ...], people: Scored, other: Scored
) -> Json:
    """How these labels rank the systems in comparison with people's: correlations with intervals over topics, places,
    what became of the significant pairs, and the shift of the systems of the judge's family."""
    how, systems = plan.resampling, people.systems
    shift = _shift(people, other, topics)
    intervals = system_pairs.correlation_intervals(people.values, other.values, systems, how)
    tests = [system_pairs.by_tukey(each.values, systems, plan.level) for each in (people, other)]
    changes = system_pairs.compare_pairs(*tests)
    return {
        "tau_b": value.as_json({"value": shift.tau_b, **intervals["tau_b"].ends}),
        "tau_ap": value.as_json({"value": shift.tau_ap, **intervals["tau_ap"].ends}),
        "systems": _places(shift),
        "pairs": changes.n,
        "significant": [sum(pair.is_significant for pair in tested) for tested in tests],
        "classes": {name: len(pairs) for name, pairs in changes.pairs.items()},
        "kept": len(changes.pairs["AA"]),
        "reversed": [list(pair) for pair in changes.pairs["AD"]],
        "lost": [list(pair) for pair in changes.lost],
        "found": [list(pair) for pair in changes.found],
        "circularity": _circularity(labels, inputs, other.values - people.values, systems, how),
        "by_family": _by_family(inputs, other.values - people.values, systems, how),
    }


def leave_assessor_out(plan: Plan, inputs: Inputs, assessor: str, topics: tuple[str, ...]) -> Json:
    """What becomes of the ranking by people's grades without those of one assessor."""
    everyone = _people(plan, inputs, inputs.assessors)
    others = _people(plan, inputs, (name for name in inputs.assessors if name != assessor))
    first, second = (score_labels(plan, inputs, each, topics, {}) for each in (everyone, others))
    shift = _shift(first, second, topics)
    pairs = [(topic, passage_id) for topic, known in everyone.items() for passage_id in known]
    left = [others.get(topic, {}).get(passage_id) for topic, passage_id in pairs]
    changed = sum(
        grade is not None and grade != everyone[topic][passage_id]
        for (topic, passage_id), grade in zip(pairs, left, strict=True)
    )
    return {
        "assessor": assessor,
        "grades": sum(map(len, inputs.assessors[assessor].values())),
        "becomes_hole": left.count(None),
        "changes_grade": changed,
        "gains_grade": sum(map(len, others.values())) - (len(pairs) - left.count(None)),
        **value.as_json({"tau_b": shift.tau_b, "tau_ap": shift.tau_ap}),
        "moved": len(shift.moved),
        "largest_move": max((abs(system.places_up) for system in shift.systems), default=0),
        "mean_change": float(np.mean(second.values - first.values)) if second.values.size else 0.0,
    }


def _people(plan: Plan, inputs: Inputs, assessors: Iterable[str]) -> Qrels:
    """The consensus of these people, between what counts before it and what counts after it."""
    given: dict[tuple[str, str], list[int]] = {}
    for assessor in sorted(assessors):
        for topic, known in inputs.assessors[assessor].items():
            for passage_id, grade in known.items():
                given.setdefault((topic, passage_id), []).append(grade)
    result: Qrels = {topic: dict(known) for topic, known in inputs.above.items()}
    for (topic, passage_id), grades in given.items():
        settled = completion.find_consensus(plan.consensus, grades)
        if settled is not None:
            result.setdefault(topic, {}).setdefault(passage_id, settled)
    for topic, known in inputs.below.items():
        result[topic] = {**known, **result.get(topic, {})}
    return result


def _shift(first: Scored, second: Scored, topics: tuple[str, ...]) -> ranking_shift.RankingShift:
    means = [system_pairs.rounded(system_pairs.means(each.values)).tolist() for each in (first, second)]
    return ranking_shift.compare_means(first.systems, *means, topics=topics)


def _places(shift: ranking_shift.RankingShift) -> list[Json]:
    return [
        {
            "system": system.run_tag,
            "change": system.other_mean - system.reference_mean,
            "place": system.reference_place,
            "other_place": system.other_place,
        }
        for system in shift.systems
    ]


def _circularity(labels: Labels, inputs: Inputs, changes: Floats, systems: tuple[str, ...], how: Resampling) -> Json:
    judge = labels.family or inputs.judges.get(labels.name, "")
    own = circularity.own_systems(inputs.families, judge)
    return {"family": judge, "systems": list(own), **_shifted(circularity.shift(changes, systems, own, how))}


def _by_family(inputs: Inputs, changes: Floats, systems: tuple[str, ...], how: Resampling) -> list[Json]:
    """The same for each family that a run names."""
    named = {system: family for system, family in inputs.families.items() if system in set(systems)}
    return [
        {
            "family": family,
            "systems": list(own),
            **_shifted(circularity.shift(changes, systems, own, how, "this family")),
        }
        for family, own in circularity.by_family(named).items()
    ]


def _shifted(result: circularity.Shift) -> Mapping[str, object]:
    numbers = {"own_mean": result.own, "others_mean": result.others, "difference": result.difference}
    return value.as_json(numbers | result.interval.ends)
