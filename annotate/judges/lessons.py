"""What each topic's judged pairs teach: the input of the mixed model."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import kernels, kriging, pair_texts, scaling, text_index
from annotate.judges.judged_pairs import JudgedTopic
from annotate.judges.variances import Variances


class Lesson(NamedTuple):
    """The n judged pairs of a topic."""

    topic: JudgedTopic
    texts: pair_texts.PairTexts  # (n, n), beside each other
    scaling: scaling.Scaling
    design: NDArray[np.float64]  # (n, p)
    responses: NDArray[np.float64]  # (n, b)

    def kernels(self) -> NDArray[np.float64]:
        """(k, n, n); made when asked for, since all of them together need much memory."""
        return kernels.between(self.texts, self.design, self.design)

    def block(self, variances: Variances) -> kriging.Block:
        """The lesson as a block of the mixed model."""
        return kriging.Block(self.design, self.responses, variances.inverse(self.kernels()))

    def forecast(self, block: kriging.Block, effects: kriging.Effects, variances: Variances) -> kriging.Forecast:
        """Each judged pair as if neither it nor near-duplicates of it had been judged."""
        covariances = np.tensordot(variances.kernels, self.kernels(), 1)
        return kriging.forecast(block, effects, self.design, covariances, self.texts.is_left_out, variances.total)


def prepare(index: text_index.TextIndex, judged: Sequence[JudgedTopic]) -> tuple[scaling.Scaling, list[Lesson]]:
    """The scale of the features in the collection, and the lessons in the order of `judged`."""
    texts = [_compare(index, topic) for topic in judged]
    collection = scaling.overall(np.concatenate([pairs.features for pairs in texts]))
    levels = np.unique(np.concatenate([topic.grades for topic in judged]))[1:]
    return collection, [_lesson(topic, pairs, collection, levels) for topic, pairs in zip(judged, texts, strict=True)]


def _compare(index: text_index.TextIndex, topic: JudgedTopic) -> pair_texts.PairTexts:
    rows = index.rows_of(topic.passage_ids)
    return pair_texts.compare(index, topic.query_id, rows, rows)


def _lesson(
    topic: JudgedTopic, texts: pair_texts.PairTexts, collection: scaling.Scaling, levels: NDArray[np.int64]
) -> Lesson:
    own = scaling.within_topic(collection, texts.features)
    design = scaling.design(collection, own, texts.features)
    responses = np.column_stack([topic.grades, topic.grades[:, None] >= levels]).astype(float)
    return Lesson(topic, texts, own, design, responses)
