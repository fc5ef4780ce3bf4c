"""Reads what was written for the sample collection: topics with backstories, grades, guidelines."""

import platform
import re
from collections.abc import Collection
from pathlib import Path

from annotate.formats import qrels, texts
from annotate.formats.records import GradeScale, Qrel, Qrels, Topic

FOLDER = Path(__file__).parent
VARIANTS = FOLDER / "variants.jsonl"
SCALE = GradeScale(0, 3)
# The table of the guidelines, and the row of a grade in it.
TABLE = re.compile(r"^\| Grade .+?\n\n", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| \*\*(\d)\*\* \| \*\*(.+?)\.\*\* (.+) \|$", re.MULTILINE)


def read_topics() -> list[Topic]:
    """The topics in the order of their ids, each with a backstory. The backstories are generated text."""
    return list(texts.read_topics(FOLDER / "topics.jsonl"))


def read_qrels(known_passage_ids: Collection[str]) -> tuple[Qrels, list[str]]:
    """The grades 0-3 of known passages, and a note for each grade dropped.

    A grade is dropped when its passage is not in the documentation of this Python: names come and go between
    versions. `known_passage_ids` is best a set.
    """
    records = list(qrels.read_qrels(FOLDER / "qrels.txt", scale=SCALE))
    kept = [record for record in records if record.passage_id in known_passage_ids]
    dropped = [record for record in records if record.passage_id not in known_passage_ids]
    return qrels.collect_qrels(kept), [_note(record) for record in dropped]


def read_guidelines() -> str:
    """How to judge, in Markdown, without the table of the grades: the judging page shows `grade_words` in its place."""
    return TABLE.sub("", _read_guidelines_file())


def read_grade_words() -> list[dict[str, object]]:
    """Name and description of each grade, from the lowest up, as the table of the guidelines says."""
    rows = [
        {"grade": int(grade), "name": name.lower(), "description": description}
        for grade, name, description in ROW.findall(_read_guidelines_file())
    ]
    return rows[::-1]


def _read_guidelines_file() -> str:
    return (FOLDER / "guidelines.md").read_text(encoding="utf-8")


def _note(record: Qrel) -> str:
    return (
        f"{record.passage_id}, grade {record.grade} for {record.query_id}: "
        f"not in the documentation of Python {platform.python_version()}"
    )
