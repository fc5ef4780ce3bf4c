"""Topics: `id<TAB>text`, or JSON lines that can tell more."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from annotate.formats import jsonl, keyed_lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.records import Topic

_ID_KEYS = ("query_id", "qid", "id", "topic_id")
_TEXT_KEYS = ("text", "query", "title")


def read(path: Path | str, *, name: str | None = None) -> Iterator[Topic]:
    """Yields the topics of a file, as `keyed_lines.read` tells, which raises FileRefused.

    JSON: the id under query_id, qid, id or topic_id, the query under text, query or title (the first that is
    there), and, if it has them, description, narrative and backstory; other keys are ignored. A query that is
    empty or blank is refused.
    """
    return keyed_lines.read(path, name, _from_pair, _from_json)


def numbered(path: Path | str, faults: Faults) -> Iterator[tuple[int, Topic]]:
    """The topics with their lines, as `keyed_lines.numbered` tells."""
    return keyed_lines.numbered(path, faults, _from_pair, _from_json)


def write(topics: Iterable[Topic], stream: IO[bytes]) -> None:
    """Writes topics as JSON lines in their order, which `read` gives back equal; leaves out what is empty."""
    for topic in topics:
        stream.write(jsonl.dump({key: text for key, text in topic._asdict().items() if text}))


def _from_pair(query_id: str, text: str) -> Topic:
    return _checked(Topic(query_id, text))


def _from_json(fields: jsonl.Fields) -> Topic:
    told = {key: jsonl.optional_words(fields, key) for key in ("description", "narrative", "backstory")}
    return _checked(Topic(jsonl.identifier(fields, _ID_KEYS), jsonl.words(fields, _TEXT_KEYS), **told))


def _checked(topic: Topic) -> Topic:
    if not topic.text.strip():
        raise Refused(f"topic {topic.query_id!r} has an empty text")
    return topic
