"""Systems on the variants of each profile: what a measure says, and how much of what it looked at was not judged."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.formats import faults
from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run
from evaluation.engine import scoring, system_scores
from evaluation.engine.system_scores import SystemScores
from evaluation.measures import grade_matrix, registry
from evaluation.measures.definition import Cutoff, Definition
from evaluation.measures.grade_matrix import EMPTY, UNJUDGED, Floats, GradeMatrix, GradeProbabilities
from evaluation.measures.registry import Measure
from evaluation.statistics.anova import Cell
from evaluation.studies.design.plan import PlanRefused
from evaluation.studies.kinds.profiles.inputs import Inputs
from evaluation.studies.kinds.profiles.plan import Plan


@dataclass(frozen=True, eq=False)
class Design:
    """A balanced part of the inputs: each topic has variants of each profile, each system ranked some of each profile.

    `variants` are those of the design. Left out are topics that lack a profile (or all grades), and systems that
    ranked nothing of one, each with that profile.
    """

    systems: tuple[str, ...]
    profiles: tuple[str, ...]
    topics: tuple[str, ...]
    variants: tuple[Variant, ...]
    topics_left_out: dict[str, str]
    systems_left_out: dict[str, str]


@dataclass(frozen=True, eq=False)
class Scored:
    """`cells`: the scores of a profile's variants, by (topic, system, profile); `values` their means, and `missing` the
    mean share of holes in the first ranks, both (systems, profiles, topics). `seed` (systems, topics) are the scores
    of the topics' own queries, for the systems whose places are `seeded`.
    """

    cells: dict[Cell, list[float]]
    values: Floats
    missing: Floats
    seeded: tuple[int, ...]
    seed: Floats


def choose_design(plan: Plan, inputs: Inputs) -> Design:
    """What can be compared. Raises PlanRefused where nothing is left, and for a system that there is not."""
    profiles = tuple(sorted({variant.profile for variant in inputs.variants}))
    topics_left_out = _incomplete_topics(inputs, profiles)
    variants = tuple(sorted(each for each in inputs.variants if each.query_id not in topics_left_out))
    ranked = _ranked(inputs.runs)
    unknown = sorted(set(plan.systems) - ranked.keys())
    if unknown:
        raise PlanRefused(f"no run of query variants has the tag {faults.quoted(unknown[0])}")
    lacking = {tag: _lacking(ranked[tag], variants, profiles) for tag in sorted(plan.systems or ranked)}
    systems = tuple(tag for tag, profile in lacking.items() if not profile)
    result = Design(
        systems=systems,
        profiles=profiles,
        topics=tuple(sorted({variant.query_id for variant in variants})),
        variants=variants,
        topics_left_out=topics_left_out,
        systems_left_out={tag: profile for tag, profile in lacking.items() if profile},
    )
    _check(result)
    if plan.variants_as == "replicates":
        _check_equally_many(variants)
    return result


def score_systems(
    plan: Plan,
    inputs: Inputs,
    chosen: Design,
    qrels: Qrels,
    probabilities: Mapping[str, GradeProbabilities] | None = None,
) -> Scored:
    """The scores of a design under some qrels and probabilities; raises as `system_scores.of_variants`."""
    measure = registry.parse(plan.measure)
    runs, seed_runs = ([run for run in each if run.tag in chosen.systems] for each in (inputs.runs, inputs.seed_runs))
    scores, missing = (
        system_scores.by_cell(
            system_scores.of_variants(
                runs, qrels, chosen.variants, each, highest=inputs.highest, probabilities=probabilities
            ),
            chosen.variants,
        )
        for each in (measure, _missing(scoring.judged_cutoff(measure)))
    )
    on_seeds = system_scores.of_topics(
        seed_runs, qrels, measure, topics=chosen.topics, highest=inputs.highest, probabilities=probabilities
    )
    seeded, seed = _seeded(chosen, on_seeds)
    return Scored(scores, _means(scores, chosen), _means(missing, chosen), seeded, seed)


def _incomplete_topics(inputs: Inputs, profiles: Sequence[str]) -> dict[str, str]:
    """Topics with a profile of which they have no variant, or an empty text where they lack grades."""
    by_topic: dict[str, set[str]] = {}
    for variant in inputs.variants:
        by_topic.setdefault(variant.query_id, set()).add(variant.profile)
    lacking = {
        query_id: next((profile for profile in profiles if profile not in there), None)
        for query_id, there in sorted(by_topic.items())
    }
    ungraded = {query_id: "" for query_id in by_topic if query_id not in inputs.before}
    return {query_id: profile for query_id, profile in lacking.items() if profile is not None} | ungraded


def _ranked(runs: Sequence[Run]) -> dict[str, set[str]]:
    ranked: dict[str, set[str]] = {}
    for run in runs:
        ranked.setdefault(run.tag, set()).update(run.query_ids)
    return ranked


def _lacking(ranked: set[str], variants: Sequence[Variant], profiles: Sequence[str]) -> str:
    there = {variant.profile for variant in variants if variant.variant_id in ranked}
    return next((profile for profile in profiles if profile not in there), "")


def _check(result: Design) -> None:
    if not result.profiles:
        raise PlanRefused("there is no query variant")
    if not result.topics:
        raise PlanRefused("no topic has both grades and a variant of every profile")
    if not result.systems:
        lacking = [f"{tag} ranked none of {profile}" for tag, profile in result.systems_left_out.items()]
        raise PlanRefused(f"no system ranked variants of every profile: {'; '.join(lacking[:3]) or 'there is no run'}")


def _check_equally_many(variants: Sequence[Variant]) -> None:
    counts = Counter((variant.query_id, variant.profile) for variant in variants)
    (topic, profile), most = max(counts.items(), key=lambda each: each[1])
    (other, fewer), least = min(counts.items(), key=lambda each: each[1])
    if most != least:
        raise PlanRefused(
            f"topic {topic} has {most} variants of {profile} and topic {other} has {least} of {fewer}: average the "
            "variants, or give equally many"
        )


def _missing(cutoff: int) -> Measure:
    """The share of the passages at the first ranks that are holes; 0 where nothing was retrieved."""
    return Measure(
        Definition(f"Missing@{cutoff}", "Share of holes.", _share_of_holes, Cutoff.REQUIRED, is_treating_holes=False),
        cutoff=cutoff,
    )


def _share_of_holes(matrix: GradeMatrix, *, cutoff: int) -> Floats:
    seen = grade_matrix.cut(matrix.grades, cutoff)
    holes, retrieved = (np.count_nonzero(each, axis=-1) for each in (seen == UNJUDGED, seen != EMPTY))
    return np.asarray(holes / np.maximum(retrieved, 1))


def _means(cells: dict[Cell, list[float]], chosen: Design) -> Floats:
    return np.array(
        [
            [[np.mean(cells[topic, system, profile]) for topic in chosen.topics] for profile in chosen.profiles]
            for system in chosen.systems
        ]
    )


def _seeded(chosen: Design, result: SystemScores) -> tuple[tuple[int, ...], Floats]:
    rows = dict(zip(result.systems, result.values, strict=True))
    seeded = tuple(place for place, system in enumerate(chosen.systems) if system in rows)
    values = [rows[chosen.systems[place]] for place in seeded]
    return seeded, np.array(values).reshape(len(seeded), len(chosen.topics))
