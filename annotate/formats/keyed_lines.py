"""Files of one record a line, each with an id of its own: TSV or JSON lines."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from annotate.formats import ids, jsonl, lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.records import Passage, Topic, Variant

Record = TypeVar("Record", Topic, Passage, Variant)


def read(
    path: Path | str,
    name: str | None,
    from_pair: Callable[[str, str], Record],
    from_json: Callable[[jsonl.Fields], Record],
) -> Iterator[Record]:
    """Yields the records of a file, plain or gzip, in its order.

    Raises FileRefused at the end, or at the fault beyond the hundredth: records are good only once all have
    been read. A file without a record is refused; an id that comes again is a fault that names both lines.
    `name` is what the faults call the file, and tells its format by `jsonl.is_jsonl`. Memory grows with the
    number of ids.
    """
    faults = Faults(name or str(path))
    for _, record in numbered(path, faults, from_pair, from_json):
        yield record
    faults.raise_if_any()


def numbered(
    path: Path | str,
    faults: Faults,
    from_pair: Callable[[str, str], Record],
    from_json: Callable[[jsonl.Fields], Record],
) -> Iterator[tuple[int, Record]]:
    """Yields the good records with their lines, and notes what `read` would refuse in `faults`; a file without a record
    is refused at once.

    For a caller who has faults of its own to add before the file is refused.
    """
    first_lines: dict[str, int] = {}
    is_jsonl: bool | None = None
    for line in lines.read(path, faults):
        if is_jsonl is None:
            is_jsonl = jsonl.is_jsonl(faults.file, line.text)
        try:
            record = from_json(jsonl.parse(line.text)) if is_jsonl else from_pair(*_pair(line.text))
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        first = first_lines.setdefault(record[0], line.number)
        if first == line.number:
            yield line.number, record
        else:
            faults.add(line.number, f"id {record[0]!r} is on line {first} already")
    if not first_lines and not faults:
        raise faults.refuse(None, "the file has no lines")


def _pair(line: str) -> tuple[str, str]:
    """The id before the first tab and the text behind it, which may have more tabs."""
    identifier, tab, text = line.partition("\t")
    if not tab:
        raise Refused("no tab between id and text")
    return ids.check_id(identifier), text
