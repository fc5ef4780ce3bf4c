"""Files of model grades that other tools write: qrels, UMBRELA's JSON lines, tables of CSV."""

import re
from collections.abc import Iterator
from pathlib import Path

from annotate.formats import grade_columns, grade_probabilities, grade_qrels, jsonl, lines, umbrela
from annotate.formats.faults import Faults
from annotate.formats.model_grades import ModelGrade
from annotate.formats.scale import GradeScale

QRELS, UMBRELA, COLUMNS, PROBABILITIES = "qrels", "umbrela", "columns", "probabilities"
FORMATS = {
    QRELS: grade_qrels.numbered,
    UMBRELA: umbrela.numbered,
    COLUMNS: grade_columns.numbered,
    PROBABILITIES: grade_probabilities.numbered,
}
_QRELS_LINE = re.compile(r"\s*\S+\s+\S+\s+\S+\s+[+-]?[0-9]+\s*")


def numbered(path: Path | str, faults: Faults, scale: GradeScale, form: str = "") -> Iterator[tuple[int, ModelGrade]]:
    """Yields what is said in a file with its lines, plain or gzip, and notes what is wrong with the others.

    `form` is one of FORMATS, or empty: told by the first line. A grade that is missing or off the scale is no fault; a
    pair that a model has twice is one. Raises FileRefused for a head that names no pairs or no grades. Memory grows
    with the number of pairs.
    """
    return FORMATS[form or guess(path, faults)](path, faults, scale)


def guess(path: Path | str, faults: Faults) -> str:
    """The format of a file by its first line; an empty file counts as qrels. Raises FileRefused where none fits."""
    first = next(lines.read(path, Faults(faults.file)), None)
    if first is None or _QRELS_LINE.fullmatch(first.text):
        return QRELS
    if jsonl.is_jsonl(faults.file, first.text):
        return UMBRELA
    if "prob_" in first.text:
        return PROBABILITIES
    if "|" in first.text:
        return COLUMNS
    raise faults.refuse(
        first.number,
        "this is neither qrels (four columns between white space) nor JSON lines, nor does it name the columns of a "
        "table, such as prob_0 or gpt-4o|basic",
    )
