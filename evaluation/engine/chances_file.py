"""Files in which a model says how likely each grade of a pair is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.formats import predictions
from annotate.formats.records import Qrels
from annotate.formats.scale import GradeScale
from evaluation.measures.grade_matrix import UNJUDGED
from evaluation.measures.uncertain import Chances


@dataclass(frozen=True, eq=False)
class ChancesFile:
    """The chances of the grades from 0 up, by topic and passage; `without` pairs of the file have none."""

    file: str
    chances: Mapping[str, Chances]
    without: int

    def filling(self, qrels: Qrels) -> dict[str, Chances]:
        """The chances in the holes of the qrels' topics."""
        return {
            query_id: {
                name: each
                for name, each in self.chances.get(query_id, {}).items()
                if known.get(name, UNJUDGED) == UNJUDGED
            }
            for query_id, known in qrels.items()
        }

    def counts(self, qrels: Qrels) -> dict[str, int]:
        """How many pairs of the file fill a hole of the qrels, and how many do not, by why."""
        in_topics = [
            (query_id, name) for query_id, topic in self.chances.items() for name in topic if query_id in qrels
        ]
        filling = sum(qrels[query_id].get(name, UNJUDGED) == UNJUDGED for query_id, name in in_topics)
        return {
            "filling_holes": filling,
            "graded_already": len(in_topics) - filling,
            "of_other_topics": sum(map(len, self.chances.values())) - len(in_topics),
            "without_probabilities": self.without,
        }


def read(path: Path | str, scale: GradeScale) -> ChancesFile:
    """The probabilities in a file of predictions, JSON lines or CSV, plain or gzip. Raises FileRefused.

    A scale that starts above 0 has no chance of the grades below it.
    """
    found = predictions.read(path, scale)
    chances: dict[str, dict[str, tuple[float, ...]]] = {}
    for prediction in found:
        if prediction.probabilities:
            by_passage = chances.setdefault(prediction.query_id, {})
            by_passage[prediction.passage_id] = (0.0,) * scale.low + prediction.probabilities
    return ChancesFile(str(path), chances, sum(not prediction.probabilities for prediction in found))
