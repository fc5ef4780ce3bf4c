"""Completed qrels as scoring reads them, and which of their grades are a model's."""

from dataclasses import dataclass

from annotate.models import Collection
from annotate.queries import completed_qrels, ratings
from annotate.rules import completion
from annotate.trec.records import Qrels


@dataclass(frozen=True, eq=False)
class Completed:
    """Grades under a rule, and the pairs of them whose grade is a model's.

    `topics` are those of the full qrels: a topic that a draw of holes left without a grade of the reference stays.
    """

    qrels: Qrels
    from_models: frozenset[tuple[str, str]]
    topics: frozenset[str]


def complete(collection: Collection, rule: completion.Rule) -> Completed:
    """The grades under a rule. Raises NoSuchRater."""
    lines = completed_qrels.complete(collection, rule)
    qrels = completed_qrels.as_qrels(lines)
    from_models = (line for line in lines if line.source.startswith(completion.MODEL))
    return Completed(
        qrels=qrels,
        from_models=frozenset((line.query_id, line.passage_id) for line in from_models),
        topics=frozenset(qrels) | _drawn_topics(collection, rule),
    )


def _drawn_topics(collection: Collection, rule: completion.Rule) -> frozenset[str]:
    """Where a draw took grades that the rule would have."""
    if completion.REFERENCE not in rule.sources:
        return frozenset()
    return frozenset(query_id for query_id, _ in ratings.dropped_grades(collection))
