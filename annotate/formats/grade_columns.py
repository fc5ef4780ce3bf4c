"""Grades of many models in one table: a column each, headed `model|prompt`. An empty cell is an answer without a grade.

Other columns are passed over: grades of people, for instance, are not a model's.
"""

from collections.abc import Iterator
from pathlib import Path

from annotate.formats import grade_table, model_grades
from annotate.formats.faults import Faults
from annotate.formats.grade_table import Table
from annotate.formats.model_grades import ModelGrade
from annotate.formats.scale import GradeScale


def numbered(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """As `model_grades.numbered` tells: of each line as many as there are models."""
    table = grade_table.read(path, faults)
    if table is None:
        return
    models = _models(table, faults)
    for line, query_id, passage_id, cells in table.rows:
        for head, (model, prompt) in models.items():
            answer = cells[head].strip()
            grade = model_grades.grade_of(answer, scale)
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
