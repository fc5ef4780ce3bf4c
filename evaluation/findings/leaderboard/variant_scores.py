"""The systems of a collection on its query variants, and on the topics' own queries beside them."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotate.formats import runs
from annotate.formats.records import Variant
from annotate.formats.runs import Run
from annotate.grades import rankings, variant_records
from annotate.models import Collection
from annotate.rules import completion
from evaluation.engine import system_scores
from evaluation.engine.system_scores import SystemScores
from evaluation.inputs import completed, facts
from evaluation.inputs.facts import Stamp
from evaluation.measures import registry

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


def of(collection: Collection, rule: completion.Rule, measure: str = MEASURE) -> VariantScores:
    """What a measure says of each system under completed qrels, the grades of a variant being those of its topic.

    Raises registry.MeasureRefused, NoSuchRater and GradeOffScale, with the sentence.
    """
    parsed = registry.parse(measure)
    found, highest = completed.complete(collection, rule), collection.highest_grade
    wanted = [variant for variant in variant_records.records(collection) if variant.query_id in found.topics]
    depth = parsed.depth or _ALL_RANKS
    return VariantScores(
        tuple(wanted),
        system_scores.of_variants(list(variant_runs(collection, depth)), found.qrels, wanted, parsed, highest=highest),
        system_scores.of_topics(
            list(seed_runs(collection, depth)), found.qrels, parsed, topics=sorted(found.topics), highest=highest
        ),
    )


def variant_runs(collection: Collection, depth: int) -> Iterator[Run]:
    """The first ranks of each variant that a system ranks, one run after the other by the bytes of the tags; those
    with one tag are one system. Rankings for ids that are no variant of the collection are left out."""
    known = variant_records.topic_of(collection).keys()
    for row in rankings.published_variant_runs(collection):
        yield runs.of_topics(rankings.top(row, depth), known)


def seed_runs(collection: Collection, depth: int) -> Iterator[Run]:
    """The first ranks of each topic, of the runs whose queries are those of the topics."""
    return (rankings.top(row, depth) for row in rankings.published_runs(collection))


def stamp(collection: Collection, rule: completion.Rule) -> Stamp:
    """While it is the same, so is what `of` finds."""
    return *facts.stamp(collection, rule.models), *facts.variants(collection)
