"""The learned judge: the calibrated judge without a model. It reads text, and learns from the judged pairs."""

from collections.abc import Mapping

from annotate.formats.scale import GradeScale
from annotate.judges import calibrated, text_features, training
from annotate.judges.calibrated import CalibratedJudge
from annotate.judges.prediction import Prediction
from annotate.judges.text_features import TopicText

__all__ = ["CalibratedJudge", "Prediction", "TopicText", "fit_text_judge"]


def fit_text_judge(
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
    training.check_trainable(grades, scale=scale, topics=topics, passages=passages)
    index = text_features.build_index(topics=topics, passages=passages, seed=seed)
    return calibrated.fit_judge(index, grades, scale=scale, seed=seed)
