"""Systems under one set of labels: their scores by topic, and whose labels stand at their first ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.formats.records import Qrels
from evaluation.engine import scoring
from evaluation.engine.run_index import RunIndex
from evaluation.measures import grade_matrix, registry
from evaluation.measures.grade_matrix import Floats, GradeProbabilities
from evaluation.measures.registry import Measure
from evaluation.studies.kinds.sources.inputs import Origins

HOLE = "hole"


@dataclass(frozen=True, eq=False)
class Scored:
    """`values` (systems, topics) and the mean of Judged@k of each system, in the order of the tags."""

    systems: tuple[str, ...]
    values: Floats
    judged: tuple[float, ...]


def score_systems(
    runs: RunIndex,
    qrels: Qrels,
    measure: str,
    *,
    topics: Sequence[str],
    highest: int,
    probabilities: Mapping[str, GradeProbabilities],
) -> Scored:
    """Raises GradeOffScale, NoDistribution and CannotMeasure."""
    asked = registry.parse(measure)
    result = scoring.score_runs(runs, qrels, [asked], topics=topics, highest=highest, probabilities=probabilities)
    ordered = sorted(result, key=lambda run: run.run_tag)
    values = [[run.measures[asked].by_topic[topic] for topic in topics] for run in ordered]
    return Scored(
        systems=tuple(run.run_tag for run in ordered),
        values=np.array(values, dtype=np.float64).reshape(len(ordered), len(topics)),
        judged=tuple(run.measures[asked].judged.number for run in ordered),
    )


def origin_shares(
    runs: RunIndex, origins: Origins, measure: Measure, topics: Sequence[str]
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
