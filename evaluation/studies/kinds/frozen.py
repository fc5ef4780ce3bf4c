"""What a study rests on, written down before it runs: grades and texts as files named by their digest."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from annotate.formats.records import Qrels
from annotate.formats.whole_files import Damaged
from annotate.models import Collection
from annotate.rules import completion
from annotate.work import kept_files
from evaluation.inputs import facts
from evaluation.inputs.facts import Completed
from evaluation.studies.kinds.registry import CannotStudy

FOLDER = "studies"


def freeze_json(value: Any) -> str:
    """Write a value of JSON under its own digest, whole or not at all, and tell the digest."""
    return kept_files.keep_json(FOLDER, json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False))


def thaw_json(digest: str) -> Any:
    """The value kept under a digest. Raises FileNotFoundError where it is gone, CannotStudy where it is another one."""
    try:
        return json.loads(kept_files.read_json(FOLDER, digest))
    except Damaged as reason:
        raise CannotStudy(f"An input that was frozen is damaged. {reason}") from None


Lines = list[list[Any]]


def complete_grades(collection: Collection, text: str, consensus: str, *, with_chances: bool = False) -> Completed:
    """The grades under a rule in words. Raises CannotStudy for a rule or a rater that there is not."""
    try:
        return facts.complete_qrels(collection, completion.parse_rule(text, consensus), with_chances=with_chances)
    except ValueError as reason:  # an unknown rule, or no such rater
        raise CannotStudy(str(reason)) from None


def lines_of(by_topic: Mapping[str, Mapping[str, Any]]) -> Lines:
    """In the order of the ids."""
    return sorted(
        ([query_id, passage_id, told] for query_id, known in by_topic.items() for passage_id, told in known.items()),
        key=lambda line: line[:2],
    )


def lines_by_topic(lines: Iterable[list[Any]], topics: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """The other way round; `topics` are there in any case."""
    found: dict[str, dict[str, Any]] = {query_id: {} for query_id in topics}
    for query_id, passage_id, told in lines:
        found.setdefault(query_id, {})[passage_id] = told
    return found


def thaw_qrels(kept: Mapping[str, Any]) -> Qrels:
    """Of what `kept_qrels` made."""
    return lines_by_topic(kept["grades"], kept["topics"])


def freeze_qrels(found: Completed) -> dict[str, Any]:
    """The grades and the topics that count, graded or not."""
    return {"topics": sorted(found.topics), "grades": lines_of(found.qrels)}
