"""Grades that models gave, in the files of other tools: qrels, UMBRELA's JSON lines, tables of CSV."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats import csv_tables, jsonl, lines, qrels, records
from annotate.formats.csv_tables import Table
from annotate.formats.faults import Faults, Refused
from annotate.formats.named_pairs import PairLines
from annotate.formats.records import GradeScale

_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0{1,9})?")


class ModelGrade(NamedTuple):
    """One model's label of one pair. `grade` is None where its `answer` is no grade of the scale.

    `model` and `prompt` are as the file names them, empty where it names none. Where a file has the texts of a pair and
    no ids, these are in `query` and `passage`. `probabilities`: from the lowest grade of the scale up.
    """

    query_id: str
    passage_id: str
    grade: int | None
    answer: str
    model: str = ""
    prompt: str = ""
    probabilities: tuple[float, ...] | None = None
    reason: str = ""
    query: str = ""
    passage: str = ""

    @property
    def source(self) -> str:
        """Model and prompt in one name, empty where the file names none."""
        return f"{self.model}|{self.prompt}" if self.prompt else self.model


def parse_grade(value: object, scale: GradeScale) -> int | None:
    """The grade that a cell or a JSON value is; tables write 2 as 2.0 where other rows have none.

    >>> [parse_grade(said, GradeScale()) for said in ("2", "2.0", 3.0, "2.5", "", None, True, 7)]
    [2, 2, 3, None, None, None, None, None]
    """
    if isinstance(value, bool) or value is None:
        return None
    match = _WHOLE.fullmatch(str(value).strip())
    return grade if match and (grade := int(match[1])) in scale else None


def read_qrels(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """Qrels: a grade off the scale is none."""
    for line, (query_id, passage_id, grade) in qrels.read_numbered(path, faults):
        yield line, ModelGrade(query_id, passage_id, parse_grade(grade, scale), str(grade))


_QUERY_ID_KEYS = ("query_id", "qid", "topic_id")
_PASSAGE_ID_KEYS = ("passage_id", "docid", "doc_id")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_MOST_IN_NAME = 60  # longer ones are the words that were sent, and differ from pair to pair


def read_umbrela(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """UMBRELA's JSON lines: `judgment`, `result_status`, `prediction`, `model`, `prompt`, and the pair.

    `result_status` 0 says that no grade was found in the answer, and that the `judgment` of 0 is a stopgap: no grade.
    The pair is named by ids (`query_id` or `qid`, `passage_id` or `docid`; the query may be an object with its `qid`)
    or by its texts alone, as the tool itself leaves it.
    """
    pairs = PairLines()
    for line in lines.read_lines(path, faults):
        try:
            grade = _parse(jsonl.parse(line.text), scale)
            pairs.enter(line.number, grade.query_id or grade.query, grade.passage_id or grade.passage, of=grade.source)
        except Refused as refused:
            faults.add(line.number, str(refused))
        else:
            yield line.number, grade


def _parse(fields: jsonl.Fields, scale: GradeScale) -> ModelGrade:
    if "judgment" not in fields:
        raise Refused("lacks judgment")
    query_id, query = _named(fields, "query", _QUERY_ID_KEYS, "qid")
    passage_id, passage = _named(fields, "passage", _PASSAGE_ID_KEYS, "docid")
    is_read = fields.get("result_status", 1) in (1, True)
    answer = _storable(fields.get("prediction"))
    return ModelGrade(
        query_id=query_id,
        passage_id=passage_id,
        grade=parse_grade(fields["judgment"], scale) if is_read else None,
        answer=answer if answer or not is_read else _written(fields["judgment"]),
        model=jsonl.read_optional_text(fields, "model"),
        prompt=_short_name(jsonl.read_optional_text(fields, "prompt")),
        reason=_storable(fields.get("reasoning")),
        query="" if query_id else query,
        passage="" if passage_id else passage,
    )


def _named(fields: jsonl.Fields, what: str, keys: tuple[str, ...], inner: str) -> tuple[str, str]:
    """Id and text of a topic or a passage, one of them perhaps empty; raises Refused where neither is there."""
    value = fields.get(what)
    if isinstance(value, dict):
        fields, value = {**value, **fields}, value.get("text")
    key = next((key for key in (*keys, inner) if fields.get(key) is not None), None)
    if key is not None:
        return records.check_id(jsonl.read_identifier(fields, (key,))), ""
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"names no {what}: neither {' nor '.join(keys)} is there, nor its text")
    return "", jsonl.read_text({what: value}, (what,))


def _short_name(prompt: str) -> str:
    return prompt.strip() if len(prompt) <= _MOST_IN_NAME and "\n" not in prompt.strip() else ""


def _storable(value: object) -> str:
    """A model's own words: whatever else is wrong with them, they are no fault of the file."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else ""


def _written(judgment: object) -> str:
    return "" if judgment is None else _storable(str(judgment))


def read_columns(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """Grades of many models in one table of CSV: a column each, headed `model|prompt`; an empty cell is no grade.

    Of each line there are as many as there are models. Other columns are passed over: grades of people, for instance,
    are not a model's.
    """
    table = csv_tables.read_table(path, faults)
    if table is None:
        return
    models = _models(table, faults)
    for line, query_id, passage_id, cells in table.rows:
        for head, (model, prompt) in models.items():
            answer = cells[head].strip()
            grade = parse_grade(answer, scale)
            yield line, ModelGrade(query_id, passage_id, grade, answer, model, prompt)


def _models(table: Table, faults: Faults) -> dict[str, tuple[str, str]]:
    """Model and prompt of each column that has them. Raises FileRefused where none does, or two have the same."""
    models: dict[str, tuple[str, str]] = {}
    for head in table.heads:
        model, bar, prompt = (part.strip() for part in head.partition("|"))
        if bar and (model, prompt) in models.values():
            raise faults.refuse(table.line, f"the column {head!r} is there twice, but for its blanks")
        if bar:
            models[head] = model, prompt
    if not models:
        raise faults.refuse(table.line, "no column is headed model|prompt, such as gpt-4o|basic")
    return models


_MOST_TOGETHER = 1.01  # they may be rounded


def read_probabilities(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """Probabilities of each grade as a table of CSV: `topic_id,doc_id,annotation,prob_0,prob_1,...`.

    The grade is the likeliest one, the lower of two. Probabilities that do not add up to 1 are divided by their sum.
    The column `annotation` is passed over: in the files that its authors (LARA, SIGIR 2025) describe it is a person's
    grade.
    """
    table = csv_tables.read_table(path, faults)
    if table is None:
        return
    wanted = [f"prob_{grade}" for grade in scale.grades]
    if [head for head in table.heads if head.startswith("prob_")] != wanted:
        raise faults.refuse(table.line, f"the first line must name these columns, in this order: {', '.join(wanted)}")
    for line, query_id, passage_id, cells in table.rows:
        shares = [cells[head].strip() for head in wanted]
        answer = " ".join(shares)
        probabilities = _parse_distribution(shares)
        if probabilities is None:
            yield line, ModelGrade(query_id, passage_id, None, answer.strip())
            continue
        grade = scale.grades[probabilities.index(max(probabilities))]
        yield line, ModelGrade(query_id, passage_id, grade, answer, probabilities=probabilities)


def _parse_distribution(texts: list[str]) -> tuple[float, ...] | None:
    """None where they are no probabilities: no numbers, outside 0 to 1, nothing at all, or far above 1 together."""
    try:
        parts = [float(text) for text in texts]
    except ValueError:
        return None
    total = sum(parts)
    if not all(0 <= part <= 1 for part in parts) or not 0 < total <= _MOST_TOGETHER:
        return None
    return tuple(round(part / total, 6) for part in parts)


QRELS, UMBRELA, COLUMNS, PROBABILITIES = "qrels", "umbrela", "columns", "probabilities"
FORMATS = {QRELS: read_qrels, UMBRELA: read_umbrela, COLUMNS: read_columns, PROBABILITIES: read_probabilities}
_QRELS_LINE = re.compile(r"\s*\S+\s+\S+\s+\S+\s+[+-]?[0-9]+\s*")


def read_model_grades(
    path: Path | str, faults: Faults, scale: GradeScale, form: str = ""
) -> Iterator[tuple[int, ModelGrade]]:
    """Yields the grades of a file, plain or gzip, with their lines, and notes what is wrong with other lines.

    `form` is one of FORMATS, or empty: known by the first line. A grade that is missing or off the scale is no fault; a
    pair that a model has twice is one. Raises FileRefused for a head that names no pairs or no grades. Memory grows
    with the number of pairs.
    """
    return FORMATS[form or guess_format(path, faults)](path, faults, scale)


def guess_format(path: Path | str, faults: Faults) -> str:
    """The format of a file by its first line; an empty file counts as qrels. Raises FileRefused where none fits."""
    first = next(lines.read_lines(path, Faults(faults.file)), None)
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
