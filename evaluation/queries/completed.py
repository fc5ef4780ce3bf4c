"""Completed qrels as scoring reads them, and which of their grades are a model's."""

from dataclasses import dataclass

from annotate.models import Collection
from annotate.queries import completed_qrels
from annotate.rules import completion
from annotate.trec.records import Qrels


@dataclass(frozen=True, eq=False)
class Completed:
    """Grades under a rule, and the pairs of them whose grade is a model's."""

    qrels: Qrels
    from_models: frozenset[tuple[str, str]]


def complete(collection: Collection, rule: completion.Rule) -> Completed:
    """The grades under a rule. Raises NoSuchRater."""
    lines = completed_qrels.complete(collection, rule)
    from_models = (line for line in lines if line.source.startswith(completion.MODEL))
    return Completed(
        completed_qrels.as_qrels(lines), frozenset((line.query_id, line.passage_id) for line in from_models)
    )
