"""Predictions: the labels of a model outside Lacuna, as JSON objects or as a CSV table of probabilities."""

import csv
import itertools
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats import jsonl
from annotate.formats import lines as formats_lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.jsonl import Fields
from annotate.formats.lines import Line
from annotate.formats.records import GradeScale

_PAIR = ["query_id", "passage_id"]


def read_table_rows(lines: Iterable[Line], scale: GradeScale, faults: Faults) -> Iterator[tuple[int, object]]:
    """The lines as what `predictions.parse` reads, with the grade unsaid; notes those that are no such row.

    The columns are `query_id`, `passage_id` and the grades of the scale, such as `0,1,2,3`, in any order; others are
    passed over. Raises FileRefused for a first line that does not name them.
    """
    names: list[str] | None = None
    for line in lines:
        if names is None:
            names = _check_heads(line, scale, faults)
            continue
        try:
            yield line.number, _fields(names, _cells(line), scale)
        except Refused as refused:
            faults.add(line.number, str(refused))


def _check_heads(line: Line, scale: GradeScale, faults: Faults) -> list[str]:
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


NAME = "predictions"
_SUM_TOLERANCE = 0.01


class Prediction(NamedTuple):
    """`grade` is None where the model gave none of the scale; `answer` is what it gave, as JSON; `line` is from 1."""

    line: int
    query_id: str
    passage_id: str
    grade: int | None
    answer: str
    probabilities: tuple[float, ...] | None = None
    reason: str = ""


def parse_lines(content: bytes, scale: GradeScale) -> list[Prediction]:
    """The predictions of JSON lines. Raises FileRefused, naming up to a hundred lines."""
    faults = Faults(NAME)
    return _collect(_objects(content, faults), scale, faults)


def parse_list(values: Iterable[object], scale: GradeScale) -> list[Prediction]:
    """The predictions of a JSON list; its first entry counts as line 1. Raises FileRefused."""
    faults = Faults(NAME)
    return _collect(enumerate(values, start=1), scale, faults)


def read_predictions(path: Path | str, scale: GradeScale) -> list[Prediction]:
    """The predictions of a file, plain or gzip: JSON lines, or CSV as `read_table_rows` says, of probabilities alone.

    Raises FileRefused.
    """
    faults = Faults(str(path))
    rest = formats_lines.read_lines(path, faults)
    first = next(rest, None)
    if first is None:
        faults.raise_if_any()
        raise faults.refuse(None, "the file has no lines")
    every = itertools.chain([first], rest)
    if jsonl.is_jsonl(str(path), first.text):
        return _collect(_parsed(every, faults), scale, faults)
    return _collect(read_table_rows(every, scale, faults), scale, faults)


def parse_prediction(line: int, fields: jsonl.Fields, scale: GradeScale) -> Prediction:
    """One prediction: query_id, passage_id, grade and perhaps probabilities and reason; other fields are passed over.

    A grade of null, or a number that is not on the scale, makes a prediction without a grade. Raises Refused.
    """
    if "grade" not in fields:
        raise Refused("lacks grade; null says that the model gave none")
    grade, answer = _grade(fields["grade"], scale)
    return Prediction(
        line=line,
        query_id=jsonl.read_identifier(fields, ("query_id",)),
        passage_id=jsonl.read_identifier(fields, ("passage_id",)),
        grade=grade,
        answer=answer,
        probabilities=_probabilities(fields.get("probabilities"), scale),
        reason=jsonl.read_optional_text(fields, "reason"),
    )


def _objects(content: bytes, faults: Faults) -> Iterator[tuple[int, object]]:
    return _parsed(
        formats_lines.split_block(formats_lines.Block(1, content.removeprefix(b"\xef\xbb\xbf")), faults), faults
    )


def _parsed(lines: Iterable[formats_lines.Line], faults: Faults) -> Iterator[tuple[int, object]]:
    for line in lines:
        try:
            yield line.number, jsonl.parse(line.text)
        except Refused as refused:
            faults.add(line.number, str(refused))


def _collect(values: Iterable[tuple[int, object]], scale: GradeScale, faults: Faults) -> list[Prediction]:
    predictions: dict[tuple[str, str], Prediction] = {}
    for number, value in values:
        try:
            if not isinstance(value, dict):
                raise Refused("not a JSON object")
            prediction = parse_prediction(number, value, scale)
        except Refused as refused:
            faults.add(number, str(refused))
            continue
        first = predictions.setdefault((prediction.query_id, prediction.passage_id), prediction)
        if first is not prediction:
            pair = f"passage {prediction.passage_id!r} of topic {prediction.query_id!r}"
            faults.add(number, f"{pair} is on line {first.line} already")
    faults.raise_if_any()
    return list(predictions.values())


def _grade(value: object, scale: GradeScale) -> tuple[int | None, str]:
    if value is None:
        return None, "null"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused("grade is neither a number nor null")
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused("grade is not a finite number")
    if value in scale:
        return int(value), str(int(value))
    return None, json.dumps(value)


def _probabilities(value: object, scale: GradeScale) -> tuple[float, ...] | None:
    """From the lowest grade up. They may be rounded: their sum is within 0.01 of 1."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != len(scale.grades):
        raise Refused(f"probabilities is not a list of {len(scale.grades)} numbers, one for each grade of {scale}")
    if not all(_is_share(part) for part in value) or abs(sum(value) - 1) > _SUM_TOLERANCE:
        raise Refused("probabilities are not numbers from 0 to 1 that sum to 1")
    return tuple(round(float(part), 6) for part in value)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
