"""Qrels: a topic, an ignored column, a passage and a grade on each line."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from annotate.formats import lines
from annotate.formats import records as formats_records
from annotate.formats.faults import Faults, Refused
from annotate.formats.records import GradeScale, Qrel, Qrels

_COLUMNS = ("query_id", "0", "passage_id", "grade")
_GRADE = re.compile(r"[+-]?[0-9]+")
_MAX_DIGITS = 9


def read_qrels(path: Path | str, *, scale: GradeScale | None = None, name: str | None = None) -> Iterator[Qrel]:
    """Yields the grades of a qrels file, plain or gzip, in its order; a file may be without any.

    With a `scale` a grade off it is refused, but for the negative ones, which are kept; without, any whole
    number will do. Raises FileRefused at the end, or at the fault beyond the hundredth: records are good only
    once all have been read. `name` is what the faults call the file. Memory grows with the number of pairs,
    since a pair may stand only once.
    """
    faults = Faults(name or str(path))
    for _, record in read_numbered(path, faults, scale=scale):
        yield record
    faults.raise_if_any()


def read_numbered(path: Path | str, faults: Faults, *, scale: GradeScale | None = None) -> Iterator[tuple[int, Qrel]]:
    """Yields the good lines of a qrels file with their numbers, and notes what `read_qrels` would refuse in `faults`.

    For a caller who has faults of its own to add before the file is refused.
    """
    first_lines: dict[str, dict[str, int]] = {}
    for line in lines.read_lines(path, faults):
        try:
            record = _parse(line.text, scale)
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        first = first_lines.setdefault(record.query_id, {}).setdefault(record.passage_id, line.number)
        if first == line.number:
            yield line.number, record
        else:
            faults.add(line.number, f"{_pair(record)} is on line {first} already")


def collect_qrels(records: Iterable[Qrel]) -> Qrels:
    """Grades by topic and passage; raises Refused when a pair comes twice, even with one grade."""
    qrels: Qrels = {}
    for record in records:
        grades = qrels.setdefault(record.query_id, {})
        if record.passage_id in grades:
            raise Refused(f"{_pair(record)} comes twice")
        grades[record.passage_id] = record.grade
    return qrels


def write_qrels(records: Iterable[Qrel], stream: IO[bytes]) -> None:
    """Writes one line for each pair: UTF-8, LF, by the bytes of query id and then of passage id.

    Raises Refused, with nothing written, when a pair comes twice or an id could not be read again.
    """
    qrels = collect_qrels(records)
    for identifier in {*qrels, *(passage_id for grades in qrels.values() for passage_id in grades)}:
        formats_records.check_id(identifier)
    # Code points are ordered as their bytes in UTF-8 are, so plain sorting is byte order.
    for query_id, grades in sorted(qrels.items()):
        for passage_id, grade in sorted(grades.items()):
            stream.write(f"{query_id} 0 {passage_id} {grade}\n".encode())


def _parse(line: str, scale: GradeScale | None) -> Qrel:
    query_id, _, passage_id, grade = lines.split_columns(line, _COLUMNS)
    return Qrel(formats_records.check_id(query_id), formats_records.check_id(passage_id), _grade(grade, scale))


def _grade(text: str, scale: GradeScale | None) -> int:
    if not _GRADE.fullmatch(text):
        raise Refused(f"grade {text!r} is not a whole number")
    if len(text) > _MAX_DIGITS:
        raise Refused(f"grade {text[:20]!r} has more than {_MAX_DIGITS} characters")
    grade = int(text)
    if scale is not None and grade >= 0 and grade not in scale:
        raise Refused(f"grade {grade} is off the scale {scale}")
    return grade


def _pair(record: Qrel) -> str:
    return f"passage {record.passage_id!r} of topic {record.query_id!r}"
