"""Predictions: what a model outside Lacuna says of pairs, one JSON object each."""

import itertools
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats import jsonl, lines, prediction_table
from annotate.formats.faults import Faults, Refused
from annotate.formats.scale import GradeScale

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


def of_lines(content: bytes, scale: GradeScale) -> list[Prediction]:
    """The predictions of JSON lines. Raises FileRefused, naming up to a hundred lines."""
    faults = Faults(NAME)
    return _collect(_objects(content, faults), scale, faults)


def of_list(values: Iterable[object], scale: GradeScale) -> list[Prediction]:
    """The predictions of a JSON list; its first entry counts as line 1. Raises FileRefused."""
    faults = Faults(NAME)
    return _collect(enumerate(values, start=1), scale, faults)


def read(path: Path | str, scale: GradeScale) -> list[Prediction]:
    """The predictions of a file, plain or gzip: JSON lines, or CSV as `prediction_table` says, of probabilities alone.

    Raises FileRefused.
    """
    faults = Faults(str(path))
    found = lines.read(path, faults)
    first = next(found, None)
    if first is None:
        faults.raise_if_any()
        raise faults.refuse(None, "the file has no lines")
    every = itertools.chain([first], found)
    if jsonl.is_jsonl(str(path), first.text):
        return _collect(_parsed(every, faults), scale, faults)
    return _collect(prediction_table.rows(every, scale, faults), scale, faults)


def parse(line: int, fields: jsonl.Fields, scale: GradeScale) -> Prediction:
    """One prediction: query_id, passage_id, grade and perhaps probabilities and reason; other fields are passed over.

    A grade of null, or a number that is not on the scale, makes a prediction without a grade. Raises Refused.
    """
    if "grade" not in fields:
        raise Refused("lacks grade; null says that the model gave none")
    grade, answer = _grade(fields["grade"], scale)
    return Prediction(
        line=line,
        query_id=jsonl.identifier(fields, ("query_id",)),
        passage_id=jsonl.identifier(fields, ("passage_id",)),
        grade=grade,
        answer=answer,
        probabilities=_probabilities(fields.get("probabilities"), scale),
        reason=jsonl.optional_words(fields, "reason"),
    )


def _objects(content: bytes, faults: Faults) -> Iterator[tuple[int, object]]:
    return _parsed(lines.of_block(lines.Block(1, content.removeprefix(b"\xef\xbb\xbf")), faults), faults)


def _parsed(found: Iterable[lines.Line], faults: Faults) -> Iterator[tuple[int, object]]:
    for line in found:
        try:
            yield line.number, jsonl.parse(line.text)
        except Refused as refused:
            faults.add(line.number, str(refused))


def _collect(values: Iterable[tuple[int, object]], scale: GradeScale, faults: Faults) -> list[Prediction]:
    found: dict[tuple[str, str], Prediction] = {}
    for number, value in values:
        try:
            if not isinstance(value, dict):
                raise Refused("not a JSON object")
            prediction = parse(number, value, scale)
        except Refused as refused:
            faults.add(number, str(refused))
            continue
        first = found.setdefault((prediction.query_id, prediction.passage_id), prediction)
        if first is not prediction:
            pair = f"passage {prediction.passage_id!r} of topic {prediction.query_id!r}"
            faults.add(number, f"{pair} is on line {first.line} already")
    faults.raise_if_any()
    return list(found.values())


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
