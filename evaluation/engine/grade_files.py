"""Files of grades whose rater nobody named: qrels, and how likely a model thinks each grade to be."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.formats import predictions
from annotate.formats import qrels as formats_qrels
from annotate.formats.records import GradeScale, Qrels
from evaluation.measures.grade_matrix import UNJUDGED, GradeProbabilities


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


def read_grades(path: Path | str, scale: GradeScale) -> GradedFile:
    """The grades in a qrels file, plain or gzip. Raises FileRefused for all that is wrong but the scale.

    A topic all of whose grades are off the scale stays, without grades.
    """
    kept: Qrels = {}
    off_scale = negative = 0
    for record in formats_qrels.read_qrels(path):
        grades = kept.setdefault(record.query_id, {})
        if record.grade >= 0 and record.grade not in scale:
            off_scale += 1
            continue
        grades[record.passage_id] = record.grade
        negative += record.grade < 0
    return GradedFile(str(path), kept, off_scale, negative)


@dataclass(frozen=True, eq=False)
class ProbabilitiesFile:
    """The probabilities of the grades from 0 up, by topic and passage; `without` pairs of the file have none."""

    file: str
    probabilities: Mapping[str, GradeProbabilities]
    without: int

    def filling(self, qrels: Qrels) -> dict[str, GradeProbabilities]:
        """The probabilities in the holes of the qrels' topics."""
        return {
            query_id: {
                name: each
                for name, each in self.probabilities.get(query_id, {}).items()
                if known.get(name, UNJUDGED) == UNJUDGED
            }
            for query_id, known in qrels.items()
        }

    def counts(self, qrels: Qrels) -> dict[str, int]:
        """How many pairs of the file fill a hole of the qrels, and how many do not, by why."""
        in_topics = [
            (query_id, name) for query_id, topic in self.probabilities.items() for name in topic if query_id in qrels
        ]
        filling = sum(qrels[query_id].get(name, UNJUDGED) == UNJUDGED for query_id, name in in_topics)
        return {
            "filling_holes": filling,
            "graded_already": len(in_topics) - filling,
            "of_other_topics": sum(map(len, self.probabilities.values())) - len(in_topics),
            "without_probabilities": self.without,
        }


def read_probabilities(path: Path | str, scale: GradeScale) -> ProbabilitiesFile:
    """The probabilities in a file of predictions, JSON lines or CSV, plain or gzip. Raises FileRefused.

    A scale that starts above 0 has no chance of the grades below it.
    """
    found = predictions.read_predictions(path, scale)
    probabilities: dict[str, dict[str, tuple[float, ...]]] = {}
    for prediction in found:
        if prediction.probabilities:
            by_passage = probabilities.setdefault(prediction.query_id, {})
            by_passage[prediction.passage_id] = (0.0,) * scale.low + prediction.probabilities
    return ProbabilitiesFile(str(path), probabilities, sum(not prediction.probabilities for prediction in found))
