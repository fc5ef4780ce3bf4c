"""Tables of CSV whose rows are pairs: which columns name them, and each row as a mapping."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats import csv_records, ids, lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.pair_lines import PairLines

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


def read(path: Path | str, faults: Faults) -> Table | None:
    """The table of a file, None of an empty one. A row that does not fit the head, or whose pair has been, is noted.

    Raises FileRefused for a head that names a column twice, or no topic, or no passage.
    """
    records = csv_records.read(lines.read(path, faults), faults)
    first = next(records, None)
    if first is None:
        return None
    line, heads = first[0], [head.strip() for head in first[1]]
    if twice := sorted({head for head in heads if heads.count(head) > 1}):
        raise faults.refuse(line, f"the column {twice[0]!r} is there twice")
    query_id, passage_id = (_one(line, heads, names, faults) for names in (_QUERY_IDS, _PASSAGE_IDS))
    return Table(line, heads, _rows(records, heads, query_id, passage_id, faults))


def _one(line: int, heads: list[str], names: tuple[str, ...], faults: Faults) -> str:
    found = next((name for name in names if name in heads), None)
    if found is None:
        raise faults.refuse(line, f"the first line must name a column {', '.join(names[:-1])} or {names[-1]}")
    return found


def _rows(
    records: Iterable[tuple[int, list[str]]], heads: list[str], query_id: str, passage_id: str, faults: Faults
) -> Iterator[Row]:
    pairs = PairLines()
    for line, cells in records:
        try:
            if len(cells) != len(heads):
                raise Refused(f"has {len(cells)} cells for {len(heads)} columns")
            named = dict(zip(heads, cells, strict=True))
            row = Row(line, ids.check_id(named[query_id]), ids.check_id(named[passage_id]), named)
            pairs.enter(line, row.query_id, row.passage_id)
        except Refused as refused:
            faults.add(line, str(refused))
        else:
            yield row
