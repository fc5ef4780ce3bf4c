"""What runs rank, row by row."""

from collections.abc import Iterable
from typing import NamedTuple

from annotate.formats.records import Topic
from annotate.formats.runs import Run
from annotate.retrieval import scorers
from annotate.retrieval.inverted_index import Library


class Ranked(NamedTuple):
    """One passage retrieved for a topic; a higher score stands nearer to the top."""

    query_id: str
    passage_id: str
    score: float


def rows(run: Run) -> list[Ranked]:
    """Topic by topic, each from its top rank down."""
    parts = [(query_id, run.rows(query_id)) for query_id in run.query_ids]
    return [
        Ranked(query_id, passage_id, score)
        for query_id, place in parts
        for passage_id, score in zip(run.passage_ids[place].tolist(), run.scores[place].tolist(), strict=True)
    ]


def retrieved(name: str, topics: Iterable[Topic], library: Library, depth: int = 100) -> list[Ranked]:
    """What a built-in system finds for the text of each topic in order, best first."""
    find = scorers.search(name, library, depth)
    return [Ranked(topic.query_id, *found) for topic in topics for found in find(topic.text)]
