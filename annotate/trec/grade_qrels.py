"""A model's grades as qrels: a grade off the scale is none."""

from collections.abc import Iterator
from pathlib import Path

from annotate.trec import model_grades, qrels
from annotate.trec.faults import Faults
from annotate.trec.model_grades import ModelGrade
from annotate.trec.scale import GradeScale


def numbered(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """As `model_grades.numbered` tells."""
    for line, (query_id, passage_id, grade) in qrels.numbered(path, faults):
        yield line, ModelGrade(query_id, passage_id, model_grades.grade_of(grade, scale), str(grade))
