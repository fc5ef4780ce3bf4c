"""CSV: records with the line that each begins on, as quoted cells may hold line breaks; tables whose rows are pairs."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats import lines as formats_lines
from annotate.formats import records as formats_records
from annotate.formats.faults import Faults, Refused
from annotate.formats.lines import Line
from annotate.formats.named_pairs import PairLines


def read_records(lines: Iterable[Line], faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Yields the good records; one that is no CSV is noted, as is a quote that nobody closes."""
    fed = _Feed(lines)
    while True:
        try:
            for cells in csv.reader(fed, strict=True):
                yield fed.begun_on, cells
                fed.begin_anew()
            return
        except csv.Error as error:
            faults.add(fed.begun_on, f"not CSV: {error}")
            fed.begin_anew()


class _Feed:
    """The lines for csv.reader, which asks for one after the other; `begun_on` is the first since `begin_anew`."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self.begun_on = 0

    def begin_anew(self) -> None:
        self.begun_on = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.begun_on = self.begun_on or line.number
        return f"{line.text}\n"


_QUERY_IDS = ("query_id", "qid", "topic_id", "topic")
_PASSAGE_IDS = ("passage_id", "docid", "doc_id", "docno", "pid")


class Row(NamedTuple):
    line: int
    query_id: str
    passage_id: str
    cells: dict[str, str]


class Table(NamedTuple):
    """`heads` are the names of the columns; `rows` reads the file on."""

    line: int
    heads: list[str]
    rows: Iterator[Row]


def read_table(path: Path | str, faults: Faults) -> Table | None:
    """The table of a file, None of an empty one. A row that does not fit the head, or whose pair has been, is noted.

    Raises FileRefused for a head that names a column twice, or no topic, or no passage.
    """
    records = read_records(formats_lines.read_lines(path, faults), faults)
    first = next(records, None)
    if first is None:
        return None
    line, heads = first[0], [head.strip() for head in first[1]]
    if twice := sorted({head for head in heads if heads.count(head) > 1}):
        raise faults.refuse(line, f"the column {twice[0]!r} is there twice")
    query_id, passage_id = (_find_column(line, heads, names, faults) for names in (_QUERY_IDS, _PASSAGE_IDS))
    return Table(line, heads, _read_rows(records, heads, query_id, passage_id, faults))


def _find_column(line: int, heads: list[str], names: tuple[str, ...], faults: Faults) -> str:
    column = next((name for name in names if name in heads), None)
    if column is None:
        raise faults.refuse(line, f"the first line must name a column {', '.join(names[:-1])} or {names[-1]}")
    return column


def _read_rows(
    records: Iterable[tuple[int, list[str]]], heads: list[str], query_id: str, passage_id: str, faults: Faults
) -> Iterator[Row]:
    pairs = PairLines()
    for line, cells in records:
        try:
            if len(cells) != len(heads):
                raise Refused(f"has {len(cells)} cells for {len(heads)} columns")
            named = dict(zip(heads, cells, strict=True))
            row = Row(
                line, formats_records.check_id(named[query_id]), formats_records.check_id(named[passage_id]), named
            )
            pairs.enter(line, row.query_id, row.passage_id)
        except Refused as refused:
            faults.add(line, str(refused))
        else:
            yield row
