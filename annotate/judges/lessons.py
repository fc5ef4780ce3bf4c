"""What each topic's judged pairs teach: the input of the mixed model."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotate.judges import evidence, kriging, pair_texts, scaling, text_index
from annotate.judges.judged_pairs import JudgedTopic
from annotate.judges.variances import Variances

E = TypeVar("E", bound=evidence.Evidence)


class Lesson(NamedTuple, Generic[E]):
    """The n judged pairs of a topic."""

    topic: JudgedTopic
    evidence: E
    texts: pair_texts.PairTexts  # (n, n), beside each other
    features: NDArray[np.float64]  # (n, p)
    scaling: scaling.Scaling
    design: NDArray[np.float64]  # (n, q)
    responses: NDArray[np.float64]  # (n, b)

    def kernels(self) -> NDArray[np.float64]:
        """(k, n, n); made when asked for, since all of them together need much memory."""
        return self.evidence.kernels(self.texts, self.design, self.design)

    def block(self, variances: Variances) -> kriging.Block:
        """The lesson as a block of the mixed model."""
        return kriging.Block(self.design, self.responses, variances.inverse(self.kernels()))

    def forecast(self, block: kriging.Block, effects: kriging.Effects, variances: Variances) -> kriging.Forecast:
        """Each judged pair as if it, and what else is left out, had not been judged."""
        covariances = np.tensordot(variances.kernels, self.kernels(), 1)
        beforehand = variances.beforehand(self.evidence.own_kernels(self.design))
        return kriging.forecast(block, effects, self.design, covariances, self.texts.is_left_out, beforehand)

    def forecast_alone(self, effects: kriging.Effects, variances: Variances) -> kriging.Forecast:
        """Each judged pair as if nothing of its topic had been judged."""
        design = self.evidence.design_alone(self.features)
        return kriging.Forecast(effects.mean(design), variances.beforehand(self.evidence.own_kernels(design)))


def prepare(
    ground: E, index: text_index.TextIndex, judged: Sequence[JudgedTopic], *, may_copies_speak: bool
) -> list[Lesson[E]]:
    """The lessons in the order of `judged`, on evidence that has seen them all."""
    texts = [_compare(index, topic, may_copies_speak) for topic in judged]
    features = [
        ground.features(topic.query_id, topic.passage_ids, beside) for topic, beside in zip(judged, texts, strict=True)
    ]
    learned = ground.learned_from(np.concatenate(features))
    levels = np.unique(np.concatenate([topic.grades for topic in judged]))[1:]
    return [_lesson(*each, learned, levels) for each in zip(judged, texts, features, strict=True)]


def _compare(index: text_index.TextIndex, topic: JudgedTopic, may_copies_speak: bool) -> pair_texts.PairTexts:
    rows = index.rows_of(topic.passage_ids)
    return pair_texts.compare(index, topic.query_id, rows, rows, may_copies_speak=may_copies_speak)


def _lesson(
    topic: JudgedTopic,
    texts: pair_texts.PairTexts,
    features: NDArray[np.float64],
    ground: E,
    levels: NDArray[np.int64],
) -> Lesson[E]:
    own = ground.scaled_by(features)
    responses = np.column_stack([topic.grades, topic.grades[:, None] >= levels]).astype(float)
    return Lesson(topic, ground, texts, features, own, ground.design(features, own), responses)
