"""A model's grades as qrels: a grade off the scale is none."""

from collections.abc import Iterator
from pathlib import Path

from annotate.formats import model_grades, qrels
from annotate.formats.faults import Faults
from annotate.formats.model_grades import ModelGrade
from annotate.formats.scale import GradeScale


def numbered(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """As `model_grades.numbered` tells."""
    for line, (query_id, passage_id, grade) in qrels.numbered(path, faults):
        yield line, ModelGrade(query_id, passage_id, model_grades.grade_of(grade, scale), str(grade))
