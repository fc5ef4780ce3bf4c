"""How label sets favour what a search with the topics' own queries finds, against what query variants find.

Grades that were given against the query can prefer passages that the query itself brings up. So each label set scores
the runs of the topics' queries and those of query variants: the difference between the two under one label set, beside
that under another, is what the label set adds.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels
from annotate.formats.runs import Run
from annotate.grades import variant_records
from annotate.models import Collection, Rater
from annotate.rules import completion
from evaluation.engine.system_scores import SystemScores
from evaluation.findings.leaderboard import variant_scores
from evaluation.findings.leaderboard.variant_scores import MEASURE, VariantScores
from evaluation.inputs import completed, raters
from evaluation.statistics import bootstrap

KIND = "seed-bias"
TOP = 10
NO_VARIANT_RUNS = "there are no runs of query variants"
NO_SEED_RUNS = "there are no runs of the topics' own queries"
NO_TOPIC = "no topic that has variants is graded by all of them"
NOTHING_GRADED = "nothing in these ranks is graded"


@dataclass(frozen=True, eq=False)
class Common:
    """The topics that all label sets grade, and the systems that are compared; with runs of variants only topics that
    have any of these. `is_same` where the same systems have runs of both."""

    topics: tuple[str, ...]
    seeds: tuple[str, ...]
    variants: tuple[str, ...]
    is_same: bool


@dataclass(frozen=True, eq=False)
class ByTopic:
    """Mean scores of the common topics, (topics,), under one label set; None where there is no run or topic."""

    seed: NDArray[np.float64] | None
    variants: NDArray[np.float64] | None

    @property
    def difference(self) -> NDArray[np.float64] | None:
        return None if self.seed is None or self.variants is None else self.seed - self.variants


def check(collection: Collection, names: Sequence[str]) -> None:
    """Raises raters.NoSuchRater for a name that no model rater has."""
    known = set(Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).values_list("name", flat=True))
    for name in names:
        if name not in known:
            raise raters.NoSuchRater(f"There is no model rater {name!r} in this collection.")


def compute(collection: Collection, asked: dict[str, str]) -> dict[str, object]:
    """For JSON: what is common, and for each rater the mean score of both kinds of runs, their difference and how it
    differs from that of the first rater, both with an interval over the topics, and of the graded passages in the first
    ten ranks the share that is relevant."""
    names = json.loads(asked["raters"])
    rules = {name: completion.Rule((completion.MODEL + name,)) for name in names}
    scores = {name: variant_scores.of(collection, rule) for name, rule in rules.items()}
    common = _common(collection, list(scores.values()))
    topic_of = variant_records.topic_of(collection)
    seeds = [run for run in variant_scores.seed_runs(collection, TOP) if run.tag in common.seeds]
    variants = [run for run in variant_scores.variant_runs(collection, TOP) if run.tag in common.variants]
    found_in = {
        "seed": list(_found(seeds, common.topics, {})),
        "variants": list(_found(variants, common.topics, topic_of)),
    }
    by_topic = {name: _by_topic(scores[name], common, topic_of) for name in names}
    rows = []
    for name, rule in rules.items():
        qrels = completed.complete(collection, rule).qrels
        told: dict[str, object] = {"rater": name, **_differences(by_topic[name], by_topic[names[0]])}
        for kind, pairs in found_in.items():
            told |= _shares(kind, pairs, qrels, collection.scale.relevant_from)
        rows.append(told)
    return {
        "measure": MEASURE,
        "relevant_from": collection.scale.relevant_from,
        "topics": len(common.topics),
        "seed_systems": len(common.seeds),
        "variant_systems": len(common.variants),
        "is_same": common.is_same,
        "reason": _reason(common),
        "rows": rows,
    }


def _common(collection: Collection, scores: list[VariantScores]) -> Common:
    topics = set.intersection(*(set(one.on_seeds.topics) for one in scores))
    first = scores[0]
    tags, others = first.on_seeds.systems, first.on_variants.systems
    if others:
        topics &= {variant.query_id for variant in first.variants}
    both = [tag for tag in tags if tag in others]
    if both:
        return Common(tuple(sorted(topics)), tuple(both), tuple(both), True)
    return Common(tuple(sorted(topics)), tags, others, False)


def _reason(common: Common) -> str:
    """Why there are no differences; empty where there are."""
    if not common.variants:
        return NO_VARIANT_RUNS
    if not common.seeds:
        return NO_SEED_RUNS
    return "" if common.topics else NO_TOPIC


def _by_topic(found: VariantScores, common: Common, topic_of: dict[str, str]) -> ByTopic:
    """Each topic counts once, however many variants it has."""
    of_variants = [topic_of[variant_id] for variant_id in found.on_variants.topics]
    return ByTopic(
        _means(found.on_seeds, common.seeds, found.on_seeds.topics, common.topics),
        _means(found.on_variants, common.variants, of_variants, common.topics),
    )


def _means(
    scores: SystemScores, chosen: Sequence[str], of: Sequence[str], topics: Sequence[str]
) -> NDArray[np.float64] | None:
    """Of each topic over the chosen systems and the columns that belong to it; None without a system or a topic."""
    rows = [place for place, system in enumerate(scores.systems) if system in set(chosen)]
    columns: dict[str, list[int]] = {topic: [] for topic in topics}
    for place, topic in enumerate(of):
        if topic in columns:
            columns[topic].append(place)
    if not rows or not columns:
        return None
    return np.array([scores.values[np.ix_(rows, places)].mean() for places in columns.values()])


def _differences(own: ByTopic, first: ByTopic) -> dict[str, object]:
    has_none = own is first or own.difference is None or first.difference is None
    beside = None if has_none else own.difference - first.difference
    return {
        "seed": _mean(own.seed),
        "variants": _mean(own.variants),
        "difference": _mean(own.difference),
        "interval": _interval(own.difference),
        "beside_first": _mean(beside),
        "beside_interval": _interval(beside),
    }


def _mean(values: NDArray[np.float64] | None) -> float | None:
    return None if values is None else float(values.mean())


def _interval(values: NDArray[np.float64] | None) -> dict[str, object] | None:
    """Of the mean over topics, which are drawn anew; the same draws for every rater."""
    if values is None:
        return None
    means = bootstrap.totals(values, bootstrap.USUAL) / len(values)
    return bootstrap.percentiles(means, len(values), bootstrap.USUAL).as_json()


def _found(runs: Sequence[Run], topics: Sequence[str], topic_of: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The topic and passage of each of the first ranks of these runs."""
    wanted = set(topics)
    for run in runs:
        for query_id in run.query_ids:
            topic = topic_of.get(query_id, query_id)
            if topic in wanted:
                yield from ((topic, passage_id) for passage_id in run.ranking(query_id, TOP))


def _shares(kind: str, pairs: list[tuple[str, str]], qrels: Qrels, relevant_from: int) -> dict[str, object]:
    """Of the first ranks of all runs, those that are graded and those of them that are relevant."""
    grades = [
        grade for topic, passage in pairs if (grade := qrels.get(topic, {}).get(passage)) is not None and grade >= 0
    ]
    relevant = sum(grade >= relevant_from for grade in grades)
    return {
        f"{kind}_graded": len(grades),
        f"{kind}_ranks": len(pairs),
        f"{kind}_relevant": relevant / len(grades) if grades else None,
    }
