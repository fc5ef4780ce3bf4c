"""Scores of systems by topic or by query variant; the runs of a system may lie in several files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotate.formats import runs
from annotate.formats.faults import Refused
from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run
from evaluation.engine import pair_index, run_index
from evaluation.engine.pair_index import CodedGrades
from evaluation.measures.grade_matrix import Floats, GradeProbabilities
from evaluation.measures.registry import Measure
from evaluation.statistics.anova import Cell

Flags = NDArray[np.bool_]
_VARIANTS_AT_ONCE = 2_000


@dataclass(frozen=True, eq=False)
class SystemScores:
    """What a measure gives each system, named by its run tag, on each topic: `values` (systems, topics).

    `is_missing` (systems, topics) says where nothing was retrieved. That counts, as a ranking without a passage.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    is_missing: Flags

    def missing(self) -> dict[str, list[str]]:
        """The topics for which nothing was retrieved, by system; systems without any are left out."""
        by_system = {
            system: [self.topics[column] for column in np.flatnonzero(row)]
            for system, row in zip(self.systems, self.is_missing, strict=True)
        }
        return {system: topics for system, topics in by_system.items() if topics}


def of_topics(
    runs: Sequence[Run],
    qrels: Qrels,
    measure: Measure,
    *,
    topics: Iterable[str],
    highest: int = 3,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
) -> SystemScores:
    """The scores on these topics, in the order of their ids. Holes that have probabilities count with expected gains,
    as `grade_matrix.code_uncertain` says.

    Raises Refused where two runs with one tag rank the same topic, GradeOffScale for a grade above `highest`,
    NoDistribution, and CannotMeasure.
    """
    chosen = sorted(set(topics))
    return _score(
        runs, pair_index.code_grades(qrels, probabilities or {}, topics=chosen, highest=highest), measure, chosen
    )


def of_variants(
    runs: Sequence[Run],
    qrels: Qrels,
    variants: Iterable[Variant],
    measure: Measure,
    *,
    highest: int = 3,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
) -> SystemScores:
    """The scores on these query variants, whose ids are the topics of the runs; grades and probabilities are those
    of their topics.

    They are scored some at once: each variant has all grades of its topic. Raises as `of_topics`.
    """
    topic_of = {variant.variant_id: variant.query_id for variant in variants}
    coded = pair_index.code_grades(qrels, probabilities or {}, topics=sorted(set(topic_of.values())), highest=highest)
    by_variant = {name: coded.qrels.get(query_id, {}) for name, query_id in topic_of.items()}
    names = sorted(by_variant)
    chunks = [names[start : start + _VARIANTS_AT_ONCE] for start in range(0, len(names), _VARIANTS_AT_ONCE)]
    parts = [_score(_cut(runs, chunk), replace(coded, qrels=by_variant), measure, chunk) for chunk in chunks or [[]]]
    return SystemScores(
        parts[0].systems,
        tuple(names),
        np.concatenate([part.values for part in parts], axis=1),
        np.concatenate([part.is_missing for part in parts], axis=1),
    )


def by_cell(found: SystemScores, variants: Iterable[Variant]) -> dict[Cell, list[float]]:
    """The scores of a profile's variants, by (topic, system, profile), for `profile_anova`.

    Raises Refused for a system that retrieved nothing for any variant of a profile: its run is not there.
    """
    ordered = sorted(variants, key=lambda variant: variant[1:])
    places = {variant_id: place for place, variant_id in enumerate(found.topics)}
    columns = [places[variant.variant_id] for variant in ordered]
    cells: dict[Cell, list[float]] = {}
    for system, scores, is_missing in zip(found.systems, found.values, found.is_missing, strict=True):
        _check_all_ranked(system, ordered, is_missing[columns])
        for variant, score in zip(ordered, scores[columns].tolist(), strict=True):
            cells.setdefault((variant.query_id, system, variant.profile), []).append(score)
    return cells


def _score(runs: Sequence[Run], coded: CodedGrades, measure: Measure, topics: Sequence[str]) -> SystemScores:
    rankings = run_index.build(runs, measure.depth)
    index = pair_index.build(rankings, [coded.qrels], topics=topics, depth=measure.depth)
    none = np.zeros((0, len(topics)))
    by_run = np.concatenate([none, *(measure.compute(matrix) for matrix in pair_index.grade_matrices(index, coded))])
    ranked = [set(run.query_ids) for run in runs]
    is_ranked = np.array([[topic in of_run for topic in index.topics] for of_run in ranked], dtype=np.bool_)
    is_ranked = is_ranked.reshape(len(runs), len(index.topics))
    systems = tuple(dict.fromkeys(index.run_tags))
    found = [_sources(system, index.run_tags, index.topics, is_ranked) for system in systems]
    sources = np.array(found, dtype=np.intp).reshape(len(systems), len(index.topics))
    columns = np.arange(len(index.topics))
    return SystemScores(systems, index.topics, by_run[sources, columns], ~is_ranked[sources, columns])


def _cut(systems: Sequence[Run], topics: Iterable[str]) -> list[Run]:
    chosen = set(topics)
    return [runs.select_topics(run, chosen) for run in systems]


def _sources(system: str, run_tags: Sequence[str], topics: Sequence[str], is_ranked: Flags) -> NDArray[np.intp]:
    """Which run has the system's ranking of each topic; its first where none has."""
    own = np.array([place for place, tag in enumerate(run_tags) if tag == system])
    for topic, times in zip(topics, is_ranked[own].sum(axis=0).tolist(), strict=True):
        if times > 1:
            raise Refused(f"{times} runs with the tag {system!r} rank topic {topic}: they could not be told apart")
    found: NDArray[np.intp] = own[is_ranked[own].argmax(axis=0)]
    return found


def _check_all_ranked(system: str, variants: Sequence[Variant], is_missing: Flags) -> None:
    ranked = {variant.profile for variant, missing in zip(variants, is_missing.tolist(), strict=True) if not missing}
    for profile in sorted({variant.profile for variant in variants} - ranked):
        raise Refused(f"system {system} retrieved nothing for any variant of profile {profile}: give that run too")
