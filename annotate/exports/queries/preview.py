"""What completed qrels under a rule would hold, counted by source and grade, before anything is frozen."""

from collections import Counter
from dataclasses import dataclass

from annotate.exports.queries import provenance
from annotate.grades import completed_qrels
from annotate.models import Collection
from annotate.rules import completion


@dataclass(frozen=True)
class SourceCounts:
    """How many lines of each grade (in the order of the preview's grades) come from a source, and in all."""

    source: str
    by_grade: list[int]
    total: int


@dataclass(frozen=True)
class Preview:
    lines: int
    topics: int
    grades: list[int]
    sources: list[SourceCounts]
    by_grade: list[int]
    holes_left: int
    known: str


def of(collection: Collection, rule: completion.Rule) -> Preview:
    """Count what the rule gives. `known` says in words what there is to draw from. Raises NoSuchRater."""
    lines = completed_qrels.complete(collection, rule)
    both = Counter((line.source, line.grade) for line in lines)
    grades = sorted(set(collection.scale.grades) | {line.grade for line in lines})
    sources = []
    for source in rule.sources:
        by_grade = [both[source, grade] for grade in grades]
        sources.append(SourceCounts(source, by_grade, sum(by_grade)))
    return Preview(
        lines=len(lines),
        topics=len({line.query_id for line in lines}),
        grades=grades,
        sources=sources,
        by_grade=[sum(counts) for counts in zip(*(row.by_grade for row in sources), strict=True)],
        holes_left=len(provenance.holes_left(collection, lines)),
        known=provenance.counts_in_words(collection),
    )
