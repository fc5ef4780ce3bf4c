"""Predictions as CSV: a line of names, then a pair each, with a column for the probability of each grade."""

import csv
from collections.abc import Iterable, Iterator

from annotate.formats.faults import Faults, Refused
from annotate.formats.jsonl import Fields
from annotate.formats.lines import Line
from annotate.formats.scale import GradeScale

_PAIR = ["query_id", "passage_id"]


def rows(lines: Iterable[Line], scale: GradeScale, faults: Faults) -> Iterator[tuple[int, object]]:
    """The lines as what `predictions.parse` reads, with the grade unsaid; notes those that are no such row.

    The columns are `query_id`, `passage_id` and the grades of the scale, such as `0,1,2,3`, in any order; others are
    passed over. Raises FileRefused for a first line that does not name them.
    """
    names: list[str] | None = None
    for line in lines:
        if names is None:
            names = _checked(line, scale, faults)
            continue
        try:
            yield line.number, _fields(names, _cells(line), scale)
        except Refused as refused:
            faults.add(line.number, str(refused))


def _checked(line: Line, scale: GradeScale, faults: Faults) -> list[str]:
    names = [name.strip() for name in line.text.split(",")]
    wanted = [*_PAIR, *map(str, scale.grades)]
    if any(names.count(name) != 1 for name in wanted):
        raise faults.refuse(line.number, f"the first line must name these columns, each once: {', '.join(wanted)}")
    return names


def _cells(line: Line) -> list[str]:
    try:
        return next(csv.reader([line.text]))
    except csv.Error as error:
        raise Refused(f"not CSV: {error}") from None


def _fields(names: list[str], cells: list[str], scale: GradeScale) -> Fields:
    if len(cells) != len(names):
        raise Refused(f"has {len(cells)} cells for {len(names)} columns")
    row = dict(zip(names, cells, strict=True))
    pair = {name: row[name] for name in _PAIR}
    return {**pair, "grade": None, "probabilities": [_number(row[str(grade)]) for grade in scale.grades]}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Refused(f"{text!r} is not a number") from None
