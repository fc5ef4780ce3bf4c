"""Qrels files whose rater nobody named: grades off the scale are left out and counted."""

from dataclasses import dataclass
from pathlib import Path

from annotate.formats import qrels
from annotate.formats.records import Qrels
from annotate.formats.scale import GradeScale


@dataclass(frozen=True, eq=False)
class GradedFile:
    """The grades of a file, without the `off_scale` pairs; the `negative` pairs are still among them."""

    file: str
    qrels: Qrels
    off_scale: int
    negative: int

    def left_out(self) -> dict[str, int]:
        """How many pairs have a line in the file but no grade on the scale, by why."""
        return {"off_scale": self.off_scale, "negative": self.negative}


def read(path: Path | str, scale: GradeScale) -> GradedFile:
    """The grades in a qrels file, plain or gzip. Raises FileRefused for all that is wrong but the scale.

    A topic all of whose grades are off the scale stays, without grades.
    """
    kept: Qrels = {}
    off_scale = negative = 0
    for record in qrels.read(path):
        grades = kept.setdefault(record.query_id, {})
        if record.grade >= 0 and record.grade not in scale:
            off_scale += 1
            continue
        grades[record.passage_id] = record.grade
        negative += record.grade < 0
    return GradedFile(str(path), kept, off_scale, negative)
