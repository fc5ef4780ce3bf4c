"""Grades as lines, in which they are frozen: query id, passage id, and what is told of the pair."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.formats.records import Qrels
from annotate.models import Collection
from annotate.rules import completion
from evaluation.inputs import completed
from evaluation.inputs.completed import Completed
from evaluation.studies.kinds.registry import CannotStudy

Lines = list[list[Any]]


def complete(collection: Collection, text: str, consensus: str, *, with_chances: bool = False) -> Completed:
    """The grades under a rule in words. Raises CannotStudy for a rule or a rater that there is not."""
    try:
        return completed.complete(collection, completion.parse(text, consensus), with_chances=with_chances)
    except ValueError as reason:  # an unknown rule, or no such rater
        raise CannotStudy(str(reason)) from None


def of(by_topic: Mapping[str, Mapping[str, Any]]) -> Lines:
    """In the order of the ids."""
    return sorted(
        ([query_id, passage_id, told] for query_id, known in by_topic.items() for passage_id, told in known.items()),
        key=lambda line: line[:2],
    )


def by_topic(lines: Iterable[list[Any]], topics: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """The other way round; `topics` are there in any case."""
    found: dict[str, dict[str, Any]] = {query_id: {} for query_id in topics}
    for query_id, passage_id, told in lines:
        found.setdefault(query_id, {})[passage_id] = told
    return found


def qrels(kept: Mapping[str, Any]) -> Qrels:
    """Of what `kept_qrels` made."""
    return by_topic(kept["grades"], kept["topics"])


def kept_qrels(found: Completed) -> dict[str, Any]:
    """The grades and the topics that count, graded or not."""
    return {"topics": sorted(found.topics), "grades": of(found.qrels)}
