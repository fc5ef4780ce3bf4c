"""The JSON lines that UMBRELA writes: `judgment`, `result_status`, `prediction`, `model`, `prompt`, and the pair.

`result_status` 0 says that no grade was found in the answer, and that the `judgment` of 0 is a stopgap: no grade. The
pair is named by ids (`query_id` or `qid`, `passage_id` or `docid`; the query may be an object with its `qid`) or by its
texts alone, as the tool itself leaves it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from annotate.formats import ids, jsonl, lines, model_grades
from annotate.formats.faults import Faults, Refused
from annotate.formats.model_grades import ModelGrade
from annotate.formats.pair_lines import PairLines
from annotate.formats.scale import GradeScale

_QUERY_IDS = ("query_id", "qid", "topic_id")
_PASSAGE_IDS = ("passage_id", "docid", "doc_id")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_MOST_IN_NAME = 60  # longer ones are the words that were sent, and differ from pair to pair


def numbered(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """As `model_grades.numbered` tells."""
    pairs = PairLines()
    for line in lines.read(path, faults):
        try:
            said = _parse(jsonl.parse(line.text), scale)
            pairs.enter(line.number, said.query_id or said.query, said.passage_id or said.passage, of=said.source)
        except Refused as refused:
            faults.add(line.number, str(refused))
        else:
            yield line.number, said


def _parse(fields: jsonl.Fields, scale: GradeScale) -> ModelGrade:
    if "judgment" not in fields:
        raise Refused("lacks judgment")
    query_id, query = _named(fields, "query", _QUERY_IDS, "qid")
    passage_id, passage = _named(fields, "passage", _PASSAGE_IDS, "docid")
    is_read = fields.get("result_status", 1) in (1, True)
    answer = _storable(fields.get("prediction"))
    return ModelGrade(
        query_id=query_id,
        passage_id=passage_id,
        grade=model_grades.grade_of(fields["judgment"], scale) if is_read else None,
        answer=answer if answer or not is_read else _written(fields["judgment"]),
        model=jsonl.optional_words(fields, "model"),
        prompt=_name(jsonl.optional_words(fields, "prompt")),
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
        return ids.check_id(jsonl.identifier(fields, (key,))), ""
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"names no {what}: neither {' nor '.join(keys)} is there, nor its text")
    return "", jsonl.words({what: value}, (what,))


def _name(prompt: str) -> str:
    return prompt.strip() if len(prompt) <= _MOST_IN_NAME and "\n" not in prompt.strip() else ""


def _storable(said: object) -> str:
    """A model's own words: whatever else is wrong with them, they are no fault of the file."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", said) if isinstance(said, str) else ""


def _written(judgment: object) -> str:
    return "" if judgment is None else _storable(str(judgment))
