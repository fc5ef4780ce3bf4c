"""A model's chances of each grade as a table: `topic_id,doc_id,annotation,prob_0,prob_1,...`.

The grade is the likeliest one, the lower of two. The column `annotation` is passed over: in the files that its authors
(LARA, SIGIR 2025) describe it is a person's grade.
"""

from collections.abc import Iterator
from pathlib import Path

from annotate.formats import grade_table
from annotate.formats.faults import Faults
from annotate.formats.model_grades import ModelGrade
from annotate.formats.scale import GradeScale

_MOST = 1.01  # they may be rounded


def numbered(path: Path | str, faults: Faults, scale: GradeScale) -> Iterator[tuple[int, ModelGrade]]:
    """As `model_grades.numbered` tells. Chances that do not add up to 1 are divided by their sum."""
    table = grade_table.read(path, faults)
    if table is None:
        return
    wanted = [f"prob_{grade}" for grade in scale.grades]
    if [head for head in table.heads if head.startswith("prob_")] != wanted:
        raise faults.refuse(table.line, f"the first line must name these columns, in this order: {', '.join(wanted)}")
    for line, query_id, passage_id, cells in table.rows:
        said = [cells[head].strip() for head in wanted]
        answer = " ".join(said)
        chances = _chances(said)
        if chances is None:
            yield line, ModelGrade(query_id, passage_id, None, answer.strip())
            continue
        grade = scale.grades[chances.index(max(chances))]
        yield line, ModelGrade(query_id, passage_id, grade, answer, chances=chances)


def _chances(said: list[str]) -> tuple[float, ...] | None:
    """None where they are no chances: no numbers, outside 0 to 1, nothing at all, or far above 1 together."""
    try:
        parts = [float(text) for text in said]
    except ValueError:
        return None
    total = sum(parts)
    if not all(0 <= part <= 1 for part in parts) or not 0 < total <= _MOST:
        return None
    return tuple(round(part / total, 6) for part in parts)
