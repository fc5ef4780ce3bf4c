"""The learned judge: the calibrated judge without a model. It reads text, and learns from the judged pairs."""

from collections.abc import Mapping

from annotate.formats.scale import GradeScale
from annotate.judges import calibrated, judged_pairs, text_index
from annotate.judges.calibrated import CalibratedJudge
from annotate.judges.prediction import Prediction
from annotate.judges.text_index import TopicText

__all__ = ["CalibratedJudge", "Prediction", "TopicText", "fit"]


def fit(
    *,
    topics: Mapping[str, TopicText],
    passages: Mapping[str, str],
    grades: Mapping[tuple[str, str], int],
    scale: GradeScale,
    seed: int = 0,
) -> CalibratedJudge:
    """Learns from the grades of judged pairs `(query_id, passage_id)`.

    `topics` and `passages` hold the texts of all pairs that will be asked for. Raises judged_pairs.TooFewGrades with
    fewer than 10 judged pairs or a single grade, judged_pairs.UnknownPair where a judged pair has no text, ValueError
    for a grade off the scale.
    """
    judged_pairs.check(grades, scale=scale, topics=topics, passages=passages)
    index = text_index.build(topics=topics, passages=passages, seed=seed)
    return calibrated.fit(index, grades, scale=scale, seed=seed)
