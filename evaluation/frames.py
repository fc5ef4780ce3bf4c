"""Files and scores as pandas DataFrames, for notebooks: `docs/python.md`. Nothing else of Lacuna imports pandas.

Files are read as everywhere here: ids are opaque text (`007` stays `007`), and a file that is wrong is refused with the
faults of its lines. Columns bear TREC's names.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from annotate.formats import jsonl, lines, model_grades, qrels, runs
from annotate.formats.faults import Faults, Refused
from annotate.formats.model_grades import ModelGrade
from annotate.formats.records import GradeScale, Qrel, Qrels
from annotate.formats.runs import Run
from evaluation.engine import scoring
from evaluation.measures import registry

SCALE = GradeScale()


def read_qrels(path: Path | str, *, scale: GradeScale | None = None) -> pd.DataFrame:
    """query_id, passage_id, grade of each line, in the order of the file. Raises FileRefused."""
    return pd.DataFrame(list(qrels.read_qrels(path, scale=scale)), columns=list(Qrel._fields))


def read_run(path: Path | str, *, depth: int | None = None) -> pd.DataFrame:
    """run_tag, query_id, passage_id, rank (from 1), score; by topic, from the top down. Raises FileRefused."""
    return _frame_of_run(runs.read_run(path, depth=depth))


def read_model_grades(path: Path | str, *, scale: GradeScale = SCALE, form: str = "") -> pd.DataFrame:
    """One model's label of one pair a row, as `model_grades.ModelGrade` says; the grade is missing where there is none.

    `form` is one of `model_grades.FORMATS`, or empty: known by the first line. Raises FileRefused.
    """
    faults = Faults(str(path))
    grades = [grade for _, grade in model_grades.read_model_grades(path, faults, scale, form)]
    faults.raise_if_any()
    return pd.DataFrame(grades, columns=list(ModelGrade._fields)).astype({"grade": "Int64"})


def read_provenance(path: Path | str) -> pd.DataFrame:
    """`provenance.jsonl` of an export: a pair a row, with lists and objects in its cells. Raises FileRefused."""
    faults = Faults(str(path))
    records = []
    for line in lines.read_lines(path, faults):
        try:
            records.append(jsonl.parse(line.text))
        except Refused as refused:
            faults.add(line.number, str(refused))
    faults.raise_if_any()
    return pd.DataFrame(records)


def score_runs(
    run_files: Iterable[Path | str], grades: pd.DataFrame, measures: str = "nDCG@10", *, scale: GradeScale = SCALE
) -> pd.DataFrame:
    """run_tag, measure, query_id, value: what `manage.py score --per-topic` says, for the topics of the grades.

    `grades` has the columns that `read_qrels` gives; rows may be taken out or changed before. Raises FileRefused for a
    run, Refused for a pair that comes twice, MeasureRefused, and GradeOffScale for a grade above the scale.
    """
    chosen = registry.parse_list(measures)
    read = list(runs.read_runs(run_files, depth=scoring.needed_depth(chosen)))
    scored = scoring.score_runs(read, _qrels_of(grades), chosen, highest=scale.high)
    rows = [
        (scores.run_tag, str(measure), query_id, value)
        for scores in scored
        for measure, by_measure in scores.measures.items()
        for query_id, value in by_measure.by_topic.items()
    ]
    return pd.DataFrame(rows, columns=["run_tag", "measure", "query_id", "value"])


def _frame_of_run(run: Run) -> pd.DataFrame:
    ranks = np.diff(run.offsets)
    return pd.DataFrame(
        {
            "run_tag": run.tag,
            "query_id": np.repeat(np.array(run.query_ids, dtype=object), ranks),
            "passage_id": run.passage_ids,
            "rank": np.arange(len(run)) - np.repeat(run.offsets[:-1], ranks) + 1,
            "score": run.scores,
        }
    )


def _qrels_of(grades: pd.DataFrame) -> Qrels:
    return qrels.collect_qrels(_records(grades))


def _records(grades: pd.DataFrame) -> Iterator[Qrel]:
    columns = (grades[name].tolist() for name in Qrel._fields)
    for query_id, passage_id, grade in zip(*columns, strict=True):
        yield Qrel(query_id, passage_id, int(grade))
