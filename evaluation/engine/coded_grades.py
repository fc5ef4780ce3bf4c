"""Grades and chances of grades in one code, which a pair index takes as it takes grades."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from annotate.formats.records import Qrels
from evaluation.engine import pair_index
from evaluation.engine.pair_index import PairIndex
from evaluation.measures import uncertain
from evaluation.measures.grade_matrix import Floats, GradeMatrix
from evaluation.measures.uncertain import Chances

_CELLS_AT_ONCE = 1 << 19


@dataclass(frozen=True, eq=False)
class CodedGrades:
    """Grades by topic, of a scale that goes to `highest`. With `rows` they are numbers of rows: those of
    `GradeMatrix.chances`."""

    qrels: Qrels
    highest: int
    rows: Floats | None = None


def code(qrels: Qrels, chances: Mapping[str, Chances], *, topics: Iterable[str], highest: int) -> CodedGrades:
    """The grades of these topics, and in their holes the chances. Raises GradeOffScale and NoDistribution."""
    if not chances:
        return CodedGrades(qrels, highest)
    chosen = list(topics)
    given = [qrels.get(query_id, {}) for query_id in chosen]
    coded, rows = uncertain.code(given, [chances.get(query_id, {}) for query_id in chosen], highest=highest)
    return CodedGrades(dict(zip(chosen, coded, strict=True)), highest, rows)


def matrices(pairs: PairIndex, coded: CodedGrades) -> Iterator[GradeMatrix]:
    """The grades of all runs, (run, topic, rank), a few runs at once, so that memory stays small."""
    vector = pair_index.grades(pairs, coded.qrels, highest=coded.highest if coded.rows is None else len(coded.rows))
    for part in pair_index.parts(pairs, _CELLS_AT_ONCE):
        yield replace(pair_index.matrix(part, vector, highest=coded.highest), chances=coded.rows)
