"""What is found under one qrels, as JSON: means, rankings, variance, pairs of systems, the seed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from annotate.formats import faults
from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run
from evaluation.agreement import value
from evaluation.engine import scoring
from evaluation.measures import grade_matrix, registry
from evaluation.measures.definition import Cutoff, Definition
from evaluation.measures.grade_matrix import EMPTY, UNJUDGED, Floats, GradeMatrix, GradeProbabilities
from evaluation.statistics import anova, rank_correlation, significance, system_pairs
from evaluation.statistics.bootstrap import Resampling
from evaluation.studies.design import Json, PlanRefused
from evaluation.studies.kinds.profiles.plan import Inputs, Plan


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

    cells: dict[anova.Cell, list[float]]
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
    plan: Plan, inputs: Inputs, chosen: Design, qrels: Qrels, probabilities: Mapping[str, GradeProbabilities]
) -> Scored:
    """The scores of a design under some qrels and probabilities; raises as `scoring.score_variants`."""
    measure = registry.parse(plan.measure)
    runs, seed_runs = ([run for run in each if run.tag in chosen.systems] for each in (inputs.runs, inputs.seed_runs))
    scores, missing = (
        scoring.by_cell(
            scoring.score_variants(
                runs, qrels, chosen.variants, each, highest=inputs.highest, probabilities=probabilities
            ),
            chosen.variants,
        )
        for each in (measure, _missing(scoring.judged_cutoff(measure)))
    )
    on_seeds = scoring.score_topics(
        seed_runs, qrels, measure, topics=chosen.topics, highest=inputs.highest, probabilities=probabilities
    )
    seeded, seed = _seeded(chosen, on_seeds)
    return Scored(scores, _variant_means(scores, chosen), _variant_means(missing, chosen), seeded, seed)


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


def _missing(cutoff: int) -> registry.Measure:
    """The share of the passages at the first ranks that are holes; 0 where nothing was retrieved."""
    return registry.Measure(
        Definition(f"Missing@{cutoff}", "Share of holes.", _share_of_holes, Cutoff.REQUIRED, is_treating_holes=False),
        cutoff=cutoff,
    )


def _share_of_holes(matrix: GradeMatrix, *, cutoff: int) -> Floats:
    seen = grade_matrix.cut(matrix.grades, cutoff)
    holes, retrieved = (np.count_nonzero(each, axis=-1) for each in (seen == UNJUDGED, seen != EMPTY))
    return np.asarray(holes / np.maximum(retrieved, 1))


def _variant_means(cells: dict[anova.Cell, list[float]], chosen: Design) -> Floats:
    return np.array(
        [
            [[np.mean(cells[topic, system, profile]) for topic in chosen.topics] for profile in chosen.profiles]
            for system in chosen.systems
        ]
    )


def _seeded(chosen: Design, result: scoring.SystemScores) -> tuple[tuple[int, ...], Floats]:
    rows = dict(zip(result.systems, result.values, strict=True))
    seeded = tuple(place for place, system in enumerate(chosen.systems) if system in rows)
    values = [rows[chosen.systems[place]] for place in seeded]
    return seeded, np.array(values).reshape(len(seeded), len(chosen.topics))


SEED = "seed query"
OTHER, BETWEEN, ALL = "other", "between methods", "all"
CLASSES = system_pairs.CLASSES


def profile_means(plan: Plan, chosen: Design, scored: Scored) -> Json:
    """`cells` of each system and profile, `profiles` over all systems, `seed` of each system and over all of them.

    `missing` is the mean share of holes in the first ranks. Intervals are over topics.
    """
    how = plan.resampling
    systems, profiles, _ = scored.values.shape
    rows = scored.values.reshape(systems * profiles, -1)
    names = [(system, profile) for system in chosen.systems for profile in chosen.profiles]
    missing = scored.missing.mean(axis=2).ravel().tolist()
    cells = [
        {"system": system, "profile": profile, **mean, "missing": share}
        for (system, profile), mean, share in zip(names, _means(rows, how), missing, strict=True)
    ]
    by_profile = _means(scored.values.mean(axis=0), how)
    shares = scored.missing.mean(axis=(0, 2)).tolist()
    return {
        "cells": cells,
        "profiles": [
            {"profile": profile, **mean, "missing": share}
            for profile, mean, share in zip(chosen.profiles, by_profile, shares, strict=True)
        ],
        "seed": [
            {"system": chosen.systems[place], **mean}
            for place, mean in zip(scored.seeded, _means(scored.seed, how), strict=True)
        ],
    }


def correlate_rankings(chosen: Design, scored: Scored) -> list[Json]:
    """tau-b between the rankings of the systems by each two profiles, and by each profile and the seed's queries."""
    by_profile = system_pairs.rounded(scored.values.mean(axis=2)).T
    seeded = list(scored.seeded)
    by_seed = system_pairs.rounded(scored.seed.mean(axis=1))
    return [
        _correlated(chosen.profiles[a], chosen.profiles[b], by_profile[a], by_profile[b])
        for a, b in combinations(range(len(chosen.profiles)), 2)
    ] + [
        _correlated(profile, SEED, by_profile[place][seeded], by_seed)
        for place, profile in enumerate(chosen.profiles)
        if seeded
    ]


def analyse_variance(plan: Plan, chosen: Design, scored: Scored) -> Json:
    """`three_way`: topic, system, profile and each two of them; `two_way`: system and topic, of each profile."""
    variants_as: anova.Variants = "replicates" if plan.variants_as == "replicates" else "averaged"
    return {
        "three_way": anova.three_way(scored.cells, variants_as).as_json(),
        "two_way": [
            {"profile": profile, **anova.two_way(scored.values[:, place]).as_json()}
            for place, profile in enumerate(chosen.profiles)
        ],
    }


def compare_system_pairs(plan: Plan, chosen: Design, scored: Scored, methods: Mapping[str, str]) -> Json:
    """`tested`: how many pairs of systems Tukey's HSD tells apart by each profile; `shares` of the classes AA to PD in
    all pairs of systems, of each two profiles; `by_method` their means over the pairs of profiles of one method, over
    those of two methods, and over all.
    """
    tests = {
        profile: system_pairs.by_tukey(scored.values[:, place], chosen.systems, plan.level)
        for place, profile in enumerate(chosen.profiles)
    }
    shares = []
    for first, second in combinations(chosen.profiles, 2):
        changes = system_pairs.compare_pairs(tests[first], tests[second])
        classes = value.as_json({name: changes.share(name) for name in CLASSES})
        shares.append({"first": first, "second": second, "method": _method(first, second, methods), **classes})
    return {
        "pairs": len(chosen.systems) * (len(chosen.systems) - 1) // 2,
        "tested": [
            {"profile": profile, "significant": sum(pair.is_significant for pair in tested)}
            for profile, tested in tests.items()
        ],
        "shares": shares,
        "by_method": _by_method(shares),
    }


def compare_with_seed(plan: Plan, chosen: Design, scored: Scored) -> list[Json]:
    """How much better or worse each profile's queries do than the seed's, in the mean over the seeded systems.

    Paired t-tests over topics with Holm's correction over the profiles. Empty without runs of the seed's queries.
    """
    if not scored.seeded:
        return []
    differences = scored.values[list(scored.seeded)].mean(axis=0) - scored.seed.mean(axis=0)
    p_values = significance.adjust_by_holm(significance.paired_t_p_values(differences.T)).tolist()
    reason = "a test needs two topics, and differences that are not all equal"
    result: list[Json] = []
    for profile, mean, p in zip(chosen.profiles, _means(differences, plan.resampling), p_values, strict=True):
        is_significant = p < plan.level  # never of NaN
        difference = mean.pop("mean")
        direction = ("below" if difference < 0 else "above") if is_significant else ""
        result.append(
            {"profile": profile, "difference": difference, "significantly": direction}
            | _joined(mean, value.as_json({"p": value.unless_nan(p, reason)}))
        )
    return result


def _means(rows: Floats, how: Resampling) -> list[Json]:
    """Of each row over topics (rows, topics)."""
    intervals = system_pairs.mean_intervals(rows, [str(place) for place in range(len(rows))], how)
    return [
        {"mean": mean, **value.as_json(interval.ends)}
        for mean, interval in zip(system_pairs.means(rows).tolist(), intervals, strict=True)
    ]


def _joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> Json:
    """Both, with the reasons of both."""
    reasons = {**one.get("reason", {}), **other.get("reason", {})}
    return {**one, **other, **({"reason": reasons} if reasons else {})}


def _correlated(first: str, second: str, a: Floats, b: Floats) -> Json:
    tau_b = rank_correlation.tau_b(rank_correlation.count_scores(a, b))
    return {"first": first, "second": second, **value.as_json({"tau_b": tau_b})}


def _method(first: str, second: str, methods: Mapping[str, str]) -> str:
    a, b = (methods.get(profile, OTHER) for profile in (first, second))
    return a if a == b else BETWEEN


def _by_method(shares: Sequence[Json]) -> list[Json]:
    named = sorted({each["method"] for each in shares}, key=lambda method: (method == BETWEEN, method))
    groups = {method: [each for each in shares if each["method"] == method] for method in named} | {ALL: shares}
    return [
        {"method": method, "profile_pairs": len(group), **value.as_json({name: _mean(group, name) for name in CLASSES})}
        for method, group in groups.items()
    ]


def _mean(group: Sequence[Json], name: str) -> value.Value:
    """Where one share of a group is undefined, all are: they have the same systems."""
    numbers = [each[name] for each in group]
    if not numbers or numbers[0] is None:
        return value.undefined("fewer than two profiles" if not numbers else group[0]["reason"][name])
    return value.Value(float(np.mean(numbers)))
