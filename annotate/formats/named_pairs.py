"""Lists of pairs, a query_id and a passage_id on each line, and the line of each pair in a file."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from annotate.formats import faults as formats_faults
from annotate.formats import lines, records, whole_files
from annotate.formats.faults import Faults, Refused


class PairLines:
    """Grows with the number of pairs."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], dict[str, int]] = {}

    def enter(self, line: int, query: str, passage: str, *, of: str = "") -> None:
        """Note the pair, named by its ids or its texts. Raises Refused where it has a line already (of a model's
        name, where the file has several)."""
        first = self._first.setdefault((of, query), {}).setdefault(passage, line)
        if first != line:
            model = f" of {of}" if of else ""
            pair = f"passage {formats_faults.quoted(passage)} of topic {formats_faults.quoted(query)}"
            raise Refused(f"{pair} is on line {first} already{model}")


NAME = "pairs"
_COLUMNS = ("query_id", "passage_id")


class NamedPair(NamedTuple):
    """One pair; `line` counts from 1."""

    line: int
    query_id: str
    passage_id: str

    def __str__(self) -> str:
        return f"passage {self.passage_id!r} of topic {self.query_id!r}"


def parse_pairs(content: bytes, name: str = NAME) -> list[NamedPair]:
    """The pairs of a text in its order, each once. Raises FileRefused, naming up to a hundred lines of `name`."""
    faults = Faults(name)
    return _collect(_parsed(content, faults), faults)


def check_pairs(values: Iterable[tuple[str, str]]) -> list[NamedPair]:
    """The pairs of (query_id, passage_id) values; the first counts as line 1. Raises FileRefused."""
    faults = Faults(NAME)
    return _collect(_checked(enumerate(values, start=1), faults), faults)


def digest_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """SHA-256 of the pairs in their order, a line each: how a list or a frame of pairs is known again."""
    return whole_files.digest_lines(f"{query_id} {passage_id}" for query_id, passage_id in pairs)


def _parsed(content: bytes, faults: Faults) -> Iterator[NamedPair]:
    for line in lines.split_block(lines.Block(1, content.removeprefix(b"\xef\xbb\xbf")), faults):
        try:
            query_id, passage_id = lines.split_columns(line.text, _COLUMNS)
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        yield from _checked([(line.number, (query_id, passage_id))], faults)


def _checked(values: Iterable[tuple[int, tuple[str, str]]], faults: Faults) -> Iterator[NamedPair]:
    for line, (query_id, passage_id) in values:
        try:
            yield NamedPair(line, records.check_id(query_id), records.check_id(passage_id))
        except Refused as refused:
            faults.add(line, str(refused))


def _collect(named: Iterable[NamedPair], faults: Faults) -> list[NamedPair]:
    pairs: dict[tuple[str, str], NamedPair] = {}
    for pair in named:
        first = pairs.setdefault((pair.query_id, pair.passage_id), pair)
        if first is not pair:
            faults.add(pair.line, f"{pair} is on line {first.line} already")
    if not pairs and not faults:
        raise faults.refuse(None, "no pair is named")
    faults.raise_if_any()
    return list(pairs.values())
