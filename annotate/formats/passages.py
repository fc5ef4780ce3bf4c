"""Passages: `id<TAB>text`, or JSON lines, whose text may have line ends and tabs."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from annotate.formats import jsonl, keyed_lines
from annotate.formats.faults import Faults
from annotate.formats.records import Passage

_ID_KEYS = ("docid", "id", "_id", "passage_id")
_TEXT_KEYS = ("text", "contents", "segment")


def read(path: Path | str, *, name: str | None = None) -> Iterator[Passage]:
    """Yields the passages of a file, as `keyed_lines.read` tells, which raises FileRefused.

    JSON: the id under docid, id, _id or passage_id, the text under text, contents or segment (the first that
    is there), and a title if it has one; other keys are ignored. Text is kept byte for byte and may be empty.
    """
    return keyed_lines.read(path, name, Passage, _from_json)


def numbered(path: Path | str, faults: Faults) -> Iterator[tuple[int, Passage]]:
    """The passages with their lines, as `keyed_lines.numbered` tells."""
    return keyed_lines.numbered(path, faults, Passage, _from_json)


def write(passages: Iterable[Passage], stream: IO[bytes]) -> None:
    """Writes passages as JSON lines in their order, which `read` gives back equal."""
    for passage in passages:
        stream.write(jsonl.dump(passage._asdict()))


def _from_json(fields: jsonl.Fields) -> Passage:
    return Passage(
        jsonl.identifier(fields, _ID_KEYS),
        jsonl.words(fields, _TEXT_KEYS),
        jsonl.optional_words(fields, "title"),
    )
