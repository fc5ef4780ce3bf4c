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

from annotate.models import Collection, Rater
from annotate.queries import variant_records
from annotate.rules import completion
from annotate.trec.records import Qrels
from annotate.trec.runs import Run
from evaluation.queries import completed, raters, variant_scores
from evaluation.queries.variant_scores import MEASURE, VariantScores

KIND = "seed-bias"
TOP = 10
NO_VARIANT_RUNS = "there are no runs of query variants"
NOTHING_GRADED = "nothing in these ranks is graded"


@dataclass(frozen=True, eq=False)
class Common:
    """The topics that all label sets grade, and the systems that are compared; with runs of variants only topics that
    have any of these. `is_same` where the same systems have runs of both."""

    topics: tuple[str, ...]
    seeds: tuple[str, ...]
    variants: tuple[str, ...]
    is_same: bool


def check(collection: Collection, names: Sequence[str]) -> None:
    """Raises raters.NoSuchRater for a name that no model rater has."""
    known = set(Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).values_list("name", flat=True))
    for name in names:
        if name not in known:
            raise raters.NoSuchRater(f"There is no model rater {name!r} in this collection.")


def compute(collection: Collection, asked: dict[str, str]) -> dict[str, object]:
    """For JSON: what is common, and for each rater the mean score of both kinds of runs, their difference, and of the
    graded passages in their first ten ranks the share that is relevant."""
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
    rows = []
    for name, rule in rules.items():
        qrels = completed.complete(collection, rule).qrels
        told: dict[str, object] = {"rater": name, **_means(scores[name], common, topic_of)}
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
        "reason": "" if common.variants else NO_VARIANT_RUNS,
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


def _means(found: VariantScores, common: Common, topic_of: dict[str, str]) -> dict[str, object]:
    """Each topic counts once, however many variants it has."""
    seed = _mean(found.on_seeds.values, found.on_seeds.systems, common.seeds, found.on_seeds.topics, common.topics)
    by_topic = [topic_of[variant_id] for variant_id in found.on_variants.topics]
    variants = _mean(found.on_variants.values, found.on_variants.systems, common.variants, by_topic, common.topics)
    difference = None if seed is None or variants is None else seed - variants
    return {"seed": seed, "variants": variants, "difference": difference}


def _mean(
    values: NDArray[np.float64], systems: Sequence[str], chosen: Sequence[str], of: Sequence[str], topics: Sequence[str]
) -> float | None:
    """Over the chosen systems and the topics, of columns that belong to topics; None without any."""
    rows = [place for place, system in enumerate(systems) if system in set(chosen)]
    columns: dict[str, list[int]] = {topic: [] for topic in topics}
    for place, topic in enumerate(of):
        if topic in columns:
            columns[topic].append(place)
    means = [float(values[np.ix_(rows, places)].mean()) for places in columns.values() if rows and places]
    return float(np.mean(means)) if means else None


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
