"""The judged pairs that a judge learns from: checked, put in order, and prepared for the mixed model."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import GradeScale
from annotate.judges import evidence as judges_evidence
from annotate.judges import mixed_model, text_features
from annotate.judges.mixed_model import Variances

_LEAST = 10  # judged pairs; with fewer, probabilities would be invented
_MOST = 500  # of one topic: cost is cubic in them


class TooFewGrades(ValueError):
    """There is too little to learn from."""


class UnknownPair(ValueError):
    """A pair whose topic or passage has no text here."""


class JudgedTopic(NamedTuple):
    """The judged pairs of a topic, by passage id."""

    query_id: str
    passage_ids: tuple[str, ...]
    grades: NDArray[np.int64]


def group_by_topic(
    grades: Mapping[tuple[str, str], int],
    *,
    scale: GradeScale,
    topics: Container[str],
    passages: Container[str],
    seed: int,
) -> list[JudgedTopic]:
    """Topics in the order of their ids, with at most 500 pairs each (drawn by `seed` where there are more).

    Raises TooFewGrades with fewer than 10 pairs or a single grade, UnknownPair where a text is missing,
    ValueError for a grade off the scale (-1 and -2 are no grades to learn from: the caller leaves them out).
    """
    check_trainable(grades, scale=scale, topics=topics, passages=passages)
    rng = np.random.default_rng(seed)
    return [
        _sample_topic(query_id, [(passage_id, grade) for (_, passage_id), grade in pairs], rng)
        for query_id, pairs in groupby(sorted(grades.items()), key=lambda item: item[0][0])
    ]


def check_trainable(
    grades: Mapping[tuple[str, str], int], *, scale: GradeScale, topics: Container[str], passages: Container[str]
) -> None:
    """Whether judged pairs can be learned from. Raises as `by_topic`."""
    check_grades(grades, scale=scale, topics=topics, passages=passages)
    _check_enough(list(grades.values()))


def check_grades(
    grades: Mapping[tuple[str, str], int], *, scale: GradeScale, topics: Container[str], passages: Container[str]
) -> None:
    """The same but for how many there are."""
    check_texts(grades, topics, passages)
    for (query_id, passage_id), grade in grades.items():
        if grade not in scale:
            raise ValueError(f"grade {grade} of topic {query_id}, passage {passage_id} is not on the scale {scale}")


def check_texts(pairs: Iterable[tuple[str, str]], topics: Container[str], passages: Container[str]) -> None:
    """Raises UnknownPair for the first pair of which a text is missing."""
    for query_id, passage_id in pairs:
        if query_id not in topics:
            raise UnknownPair(f"topic {query_id} has no text here")
        if passage_id not in passages:
            raise UnknownPair(f"passage {passage_id} of topic {query_id} has no text here")


def _check_enough(grades: Sequence[int]) -> None:
    if len(grades) < _LEAST:
        raise TooFewGrades(f"a judge learns from at least {_LEAST} judged pairs, and there are {len(grades)}")
    if len(set(grades)) == 1:
        raise TooFewGrades(f"all {len(grades)} judged pairs have the same grade, there is nothing to tell apart")


def _sample_topic(query_id: str, pairs: list[tuple[str, int]], rng: np.random.Generator) -> JudgedTopic:
    if len(pairs) > _MOST:
        pairs = [pairs[place] for place in np.sort(rng.permutation(len(pairs))[:_MOST])]
    passage_ids, grades = zip(*pairs, strict=True)
    return JudgedTopic(query_id, passage_ids, np.array(grades, np.int64))


E = TypeVar("E", bound=judges_evidence.Evidence)


class TopicTraining(NamedTuple, Generic[E]):
    """The n judged pairs of a topic."""

    topic: JudgedTopic
    evidence: E
    texts: text_features.PairTexts  # (n, n), beside each other
    features: NDArray[np.float64]  # (n, p)
    scaling: mixed_model.Scaling
    design: NDArray[np.float64]  # (n, q)
    responses: NDArray[np.float64]  # (n, b)

    def kernels(self) -> NDArray[np.float64]:
        """(k, n, n); made when asked for, since all of them together need much memory."""
        return self.evidence.kernels(self.texts, self.design, self.design)

    def block(self, variances: Variances) -> mixed_model.Block:
        """The pairs as a block of the mixed model."""
        return mixed_model.Block(self.design, self.responses, variances.inverse(self.kernels()))

    def forecast(
        self, block: mixed_model.Block, effects: mixed_model.Effects, variances: Variances
    ) -> mixed_model.Forecast:
        """Each judged pair as if it, and what else is left out, had not been judged."""
        covariances = np.tensordot(variances.kernels, self.kernels(), 1)
        beforehand = variances.beforehand(self.evidence.own_kernels(self.design))
        return mixed_model.forecast_pairs(block, effects, self.design, covariances, self.texts.is_left_out, beforehand)

    def forecast_alone(self, effects: mixed_model.Effects, variances: Variances) -> mixed_model.Forecast:
        """Each judged pair as if nothing of its topic had been judged."""
        design = self.evidence.design_alone(self.features)
        return mixed_model.Forecast(effects.mean(design), variances.beforehand(self.evidence.own_kernels(design)))


def prepare_topics(
    ground: E, index: text_features.TextIndex, judged: Sequence[JudgedTopic], *, may_copies_speak: bool
) -> list[TopicTraining[E]]:
    """The topics in the order of `judged`, on evidence that has seen them all."""
    texts = [_compare_topic(index, topic, may_copies_speak) for topic in judged]
    features = [
        ground.features(topic.query_id, topic.passage_ids, beside) for topic, beside in zip(judged, texts, strict=True)
    ]
    learned = ground.learned_from(np.concatenate(features))
    levels = np.unique(np.concatenate([topic.grades for topic in judged]))[1:]
    return [_prepare_topic(*each, learned, levels) for each in zip(judged, texts, features, strict=True)]


def _compare_topic(
    index: text_features.TextIndex, topic: JudgedTopic, may_copies_speak: bool
) -> text_features.PairTexts:
    rows = index.rows_of(topic.passage_ids)
    return text_features.compare_texts(index, topic.query_id, rows, rows, may_copies_speak=may_copies_speak)


def _prepare_topic(
    topic: JudgedTopic,
    texts: text_features.PairTexts,
    features: NDArray[np.float64],
    ground: E,
    levels: NDArray[np.int64],
) -> TopicTraining[E]:
    own = ground.scaled_by(features)
    responses = np.column_stack([topic.grades, topic.grades[:, None] >= levels]).astype(float)
    return TopicTraining(topic, ground, texts, features, own, ground.design(features, own), responses)
