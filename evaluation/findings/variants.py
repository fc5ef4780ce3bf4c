"""Query variants: systems on them, bias of label sets towards the topics' own queries, agreement of people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run, select_topics
from annotate.grades import rankings
from annotate.models import Collection
from annotate.rules import completion
from annotate.texts.queries import variants as variants_queries
from evaluation.agreement import alpha as agreement_alpha
from evaluation.agreement import kappa as agreement_kappa
from evaluation.agreement import pairing
from evaluation.agreement.value import Value
from evaluation.engine import scoring
from evaluation.engine.scoring import SystemScores
from evaluation.inputs import choices, facts, raters
from evaluation.inputs.choices import RatersQuestion
from evaluation.inputs.facts import Fingerprint
from evaluation.measures import registry
from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import IntervalJson

MEASURE = "nDCG@10"
_ALL_RANKS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class VariantScores:
    """`on_variants` is by system and query variant, of which `variants` tells the topic and profile; `on_seeds` is by
    system and topic, of the runs of topics, in which other systems may be. Both are over the topics of the full qrels.
    """

    variants: tuple[Variant, ...]
    on_variants: SystemScores
    on_seeds: SystemScores


def score_variants(collection: Collection, rule: completion.Rule, measure: str = MEASURE) -> VariantScores:
    """What a measure says of each system under completed qrels, the grades of a variant being those of its topic.

    Raises registry.MeasureRefused, NoSuchRater and GradeOffScale, with the sentence.
    """
    parsed = registry.parse(measure)
    found, highest = facts.complete_qrels(collection, rule), collection.highest_grade
    wanted = [variant for variant in rankings.variant_records(collection) if variant.query_id in found.topics]
    depth = parsed.depth or _ALL_RANKS
    return VariantScores(
        tuple(wanted),
        scoring.score_variants(
            list(read_variant_runs(collection, depth)), found.qrels, wanted, parsed, highest=highest
        ),
        scoring.score_topics(
            list(read_seed_runs(collection, depth)), found.qrels, parsed, topics=sorted(found.topics), highest=highest
        ),
    )


def read_variant_runs(collection: Collection, depth: int) -> Iterator[Run]:
    """The first ranks of each variant that a system ranks, one run after the other by the bytes of the tags; those
    with one tag are one system. Rankings for ids that are no variant of the collection are left out."""
    known = rankings.variant_topics(collection).keys()
    for row in rankings.published_variant_runs(collection):
        yield select_topics(rankings.load_top(row, depth), known)


def read_seed_runs(collection: Collection, depth: int) -> Iterator[Run]:
    """The first ranks of each topic, of the runs whose queries are those of the topics."""
    return (rankings.load_top(row, depth) for row in rankings.published_runs(collection))


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


def check_raters(collection: Collection, names: Sequence[str]) -> None:
    """Raises raters.NoSuchRater for a name that no model rater has."""
    known = choices.list_models(collection)
    for name in names:
        if name not in known:
            raise raters.NoSuchRater(f"There is no model rater {name!r} in this collection.")


class Differences(TypedDict):
    """Mean scores under one label set and their difference; how that differs from the first one's, for the others."""

    seed: float | None
    variants: float | None
    difference: float | None
    interval: IntervalJson | None
    beside_first: float | None
    beside_interval: IntervalJson | None


class BiasRow(Differences):
    """Of each kind of runs how many of the first ten `ranks` are `graded`, and which share of these is `relevant`."""

    rater: str
    seed_ranks: int
    seed_graded: int
    seed_relevant: float | None
    variants_ranks: int
    variants_graded: int
    variants_relevant: float | None


class Bias(TypedDict):
    """What is common to the label sets, and a row for each; `reason` says why there are no differences."""

    measure: str
    relevant_from: int
    topics: int
    seed_systems: int
    variant_systems: int
    is_same: bool
    reason: str
    rows: list[BiasRow]


class BiasQuestion(RatersQuestion[Bias]):
    """How the grades of models favour what the topics' own queries find."""

    kind = "seed-bias"
    page = "seed_bias"

    @classmethod
    def of_raters(cls, names: Sequence[str]) -> Self:
        subject = f"bias of {len(names)} label sets towards the topics' own queries"
        return cls((("raters", json.dumps(list(names))),), subject, tuple(names))

    def more_facts(self, collection: Collection) -> Fingerprint:
        return facts.fingerprint_variants(collection)

    def compute(self, collection: Collection) -> Bias:
        return compute_bias(collection, self.names)


def compute_bias(collection: Collection, names: Sequence[str]) -> Bias:
    """The first rater is the one with which the others are compared."""
    rules = {name: completion.Rule((completion.MODEL + name,)) for name in names}
    scores = {name: score_variants(collection, rule) for name, rule in rules.items()}
    common = _common(collection, list(scores.values()))
    topic_of = rankings.variant_topics(collection)
    seeds = [run for run in read_seed_runs(collection, TOP) if run.tag in common.seeds]
    variants = [run for run in read_variant_runs(collection, TOP) if run.tag in common.variants]
    on_seeds = list(_first_ranks(seeds, common.topics, {}))
    on_variants = list(_first_ranks(variants, common.topics, topic_of))
    by_topic = {name: _by_topic(scores[name], common, topic_of) for name in names}
    rows: list[BiasRow] = []
    for name, rule in rules.items():
        qrels, relevant_from = facts.complete_qrels(collection, rule).qrels, collection.scale.relevant_from
        own, other = (_count_relevant(pairs, qrels, relevant_from) for pairs in (on_seeds, on_variants))
        rows.append(
            {
                "rater": name,
                **_differences(by_topic[name], by_topic[names[0]]),
                "seed_graded": own[0],
                "seed_ranks": len(on_seeds),
                "seed_relevant": own[1],
                "variants_graded": other[0],
                "variants_ranks": len(on_variants),
                "variants_relevant": other[1],
            }
        )
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


def _differences(own: ByTopic, first: ByTopic) -> Differences:
    difference, other = own.difference, first.difference
    beside = None if own is first or difference is None or other is None else difference - other
    return {
        "seed": _mean(own.seed),
        "variants": _mean(own.variants),
        "difference": _mean(difference),
        "interval": _interval(difference),
        "beside_first": _mean(beside),
        "beside_interval": _interval(beside),
    }


def _mean(values: NDArray[np.float64] | None) -> float | None:
    return None if values is None else float(values.mean())


def _interval(values: NDArray[np.float64] | None) -> IntervalJson | None:
    """Of the mean over topics, which are drawn anew; the same draws for every rater."""
    if values is None:
        return None
    means = bootstrap.totals(values, bootstrap.USUAL) / len(values)
    return bootstrap.percentiles(means, len(values), bootstrap.USUAL).as_json()


def _first_ranks(runs: Sequence[Run], topics: Sequence[str], topic_of: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The topic and passage of each of the first ranks of these runs."""
    wanted = set(topics)
    for run in runs:
        for query_id in run.query_ids:
            topic = topic_of.get(query_id, query_id)
            if topic in wanted:
                yield from ((topic, passage_id) for passage_id in run.ranking(query_id, TOP))


def _count_relevant(pairs: list[tuple[str, str]], qrels: Qrels, relevant_from: int) -> tuple[int, float | None]:
    """How many of the first ranks of all runs are graded, and which share of these is relevant."""
    found = (qrels.get(topic, {}).get(passage) for topic, passage in pairs)
    grades = [grade for grade in found if grade is not None and grade >= 0]
    relevant = sum(grade >= relevant_from for grade in grades)
    return len(grades), relevant / len(grades) if grades else None


@dataclass(frozen=True)
class Couple:
    """Two people by their pseudonyms, on `n` variants that both saw."""

    first: str
    second: str
    n: int
    equal: Value
    kappa: Value


@dataclass(frozen=True)
class QuestionAgreement:
    """One question: nominal alpha over all people, and every two of them. `variants` were seen by two or more."""

    question: str
    variants: int
    people: int
    alpha: Value
    couples: list[Couple]


def compare_people(collection: Collection) -> list[QuestionAgreement]:
    """The two questions; the writer is the right profile, the other one, or either, in whatever order they stood."""
    return [
        _question_agreement("Same meaning", variants_queries.list_meanings(collection), range(2)),
        _question_agreement("Written for", variants_queries.list_writers(collection), range(3)),
    ]


def _question_agreement(question: str, answers: Mapping[str, Mapping[str, int]], codes: range) -> QuestionAgreement:
    people = {
        person: {(variant_id, ""): code for variant_id, code in given.items()}
        for person, given in sorted(answers.items())
    }
    variants, table = pairing.side_by_side(list(people.values()))
    seen_by_two = int(((table != pairing.MISSING).sum(axis=0) >= 2).sum()) if len(variants) else 0
    return QuestionAgreement(
        question,
        seen_by_two,
        len(people),
        agreement_alpha.alpha(table, codes, "nominal"),
        [_couple(first, second, people, codes) for first, second in combinations(people, 2)],
    )


def _couple(first: str, second: str, people: Mapping[str, Mapping[tuple[str, str], int]], codes: range) -> Couple:
    paired = pairing.pair(people[first], people[second])
    counts = agreement_kappa.table(paired.first, paired.second, codes)
    return Couple(first, second, paired.n, agreement_kappa.share_equal(counts), agreement_kappa.kappa(counts))
