"""What a study rests on, written down before it runs: grades and texts as files named by their digest, runs by theirs.

Grades are lines of query id, passage id, and what is recorded of the pair.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from annotate.formats import runs
from annotate.formats.records import Qrels
from annotate.formats.whole_files import Damaged
from annotate.grades import rankings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Run
from annotate.rules import completion
from annotate.work import kept_files
from evaluation.inputs import facts
from evaluation.studies.kinds.registry import CannotStudy

FOLDER = "studies"
ALL_RANKS = 2**31 - 1

Lines = list[list[Any]]


def freeze_json(value: Any) -> str:
    """Write a value of JSON under its own digest, whole or not at all, and return the digest."""
    return kept_files.keep_json(FOLDER, json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False))


def thaw_json(digest: str) -> Any:
    """The value kept under a digest. Raises FileNotFoundError where it is gone, CannotStudy where it is another one."""
    try:
        return json.loads(kept_files.read_json(FOLDER, digest))
    except Damaged as reason:
        raise CannotStudy(f"An input that was frozen is damaged. {reason}") from None


def name_runs(ranked: Iterable[Run], *fields: str) -> list[dict[str, str]]:
    """What a manifest says of runs, with these fields of theirs too."""
    return [
        {"run_tag": run.tag, "digest": run.digest, "path": run.path, **{name: getattr(run, name) for name in fields}}
        for run in ranked
    ]


def load_runs(named: Iterable[Mapping[str, str]], depth: int | None) -> Iterator[runs.Run]:
    """The runs that a manifest names, to a depth or whole, whatever became of them in the collection."""
    return (rankings.load_frozen_top(run, depth or ALL_RANKS) for run in named)


def name_scale(collection: Collection) -> list[int]:
    return [collection.lowest_grade, collection.highest_grade]


@contextmanager
def refusing(*reasons: type[Exception]) -> Iterator[None]:
    """Inside, and around a function that it decorates: what these say is why there can be no study, CannotStudy."""
    try:
        yield
    except reasons as reason:
        raise CannotStudy(str(reason)) from None


@refusing(ValueError)  # an unknown rule, or no such rater
def complete_grades(
    collection: Collection, text: str, consensus: str, *, with_probabilities: bool = False
) -> facts.Completed:
    """The grades under a rule in words. Raises CannotStudy for a rule or a rater that there is not."""
    rule = completion.parse_rule(text, consensus)
    return facts.complete_qrels(collection, rule, with_probabilities=with_probabilities)


def lines_of_pairs(recorded: Mapping[PairId, Any]) -> Lines:
    """In the order of the ids."""
    return sorted(([*pair, value] for pair, value in recorded.items()), key=lambda line: line[:2])


def lines_of_topics(by_topic: Mapping[str, Mapping[str, Any]]) -> Lines:
    return lines_of_pairs(
        {(query_id, name): value for query_id, known in by_topic.items() for name, value in known.items()}
    )


def lines_by_topic(lines: Iterable[list[Any]], topics: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """The other way round; `topics` are there in any case."""
    result: dict[str, dict[str, Any]] = {query_id: {} for query_id in topics}
    for query_id, passage_id, value in lines:
        result.setdefault(query_id, {})[passage_id] = value
    return result


def lines_by_pair(lines: Iterable[list[Any]]) -> dict[PairId, Any]:
    return {(query_id, passage_id): value for query_id, passage_id, value in lines}


def freeze_qrels(result: facts.Completed) -> dict[str, Any]:
    """The grades and the topics that count, graded or not."""
    return {"topics": sorted(result.topics), "grades": lines_of_topics(result.qrels)}


def thaw_qrels(kept: Mapping[str, Any]) -> Qrels:
    """Of what `freeze_qrels` made."""
    return lines_by_topic(kept["grades"], kept["topics"])
