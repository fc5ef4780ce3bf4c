"""What is found under one qrels, as JSON: means, rankings, variance, pairs of systems, the seed."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.agreement import value
from evaluation.agreement.value import Value, undefined, unless_nan
from evaluation.measures.grade_matrix import Floats
from evaluation.statistics import anova, rank_correlation, score_matrix, significance, system_pairs
from evaluation.statistics.bootstrap import Resampling
from evaluation.studies.design.parts import Json
from evaluation.studies.kinds.profiles.plan import Plan
from evaluation.studies.kinds.profiles.scores import Design, Scored

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
    by_profile = score_matrix.rounded(scored.values.mean(axis=2)).T
    seeded = list(scored.seeded)
    by_seed = score_matrix.rounded(scored.seed.mean(axis=1))
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
            | _joined(mean, value.as_json({"p": unless_nan(p, reason)}))
        )
    return result


def _means(rows: Floats, how: Resampling) -> list[Json]:
    """Of each row over topics (rows, topics)."""
    intervals = score_matrix.mean_intervals(rows, [str(place) for place in range(len(rows))], how)
    return [
        {"mean": mean, **value.as_json(interval.ends)}
        for mean, interval in zip(score_matrix.means(rows).tolist(), intervals, strict=True)
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


def _mean(group: Sequence[Json], name: str) -> Value:
    """Where one share of a group is undefined, all are: they have the same systems."""
    numbers = [each[name] for each in group]
    if not numbers or numbers[0] is None:
        return undefined("fewer than two profiles" if not numbers else group[0]["reason"][name])
    return Value(float(np.mean(numbers)))
