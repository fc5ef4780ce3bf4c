"""The learned judge: grades from text and from the grades that a collection already has, without a model.

Three steps: the texts of each pair beside the query and beside the judged passages of its topic
(`pair_texts`), a mixed model that forecasts each judged pair without its own grade (`kriging`), and
probabilities learned from how such forecasts turned out (`calibrator`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import (
    calibrator,
    judged_pairs,
    kernels,
    kriging,
    lessons,
    pair_texts,
    reasons,
    scaling,
    text_index,
    variances,
)
from annotate.judges.judged_pairs import JudgedTopic
from annotate.judges.text_index import TopicText
from annotate.trec.scale import GradeScale

# A topic with fewer judged pairs is predicted as one without: so few say little of its assessor.
FEW = 5


class Prediction(NamedTuple):
    """A suggested grade (the median), the probability of each grade of the scale, and why, in one line."""

    grade: int
    probabilities: tuple[float, ...]
    reason: str


class Memory(NamedTuple):
    """What is kept of a topic that has judged pairs."""

    topic: JudgedTopic
    scaling: scaling.Scaling
    block: kriging.Block


@dataclass(frozen=True)
class LearnedJudge:
    """A fitted judge. It never changes, and can be pickled."""

    scale: GradeScale
    index: text_index.TextIndex
    collection: scaling.Scaling
    variances: variances.Variances
    effects: kriging.Effects
    memories: dict[str, Memory]
    familiar: calibrator.Calibrator  # for topics that are remembered
    strange: calibrator.Calibrator  # for all others

    def has_read(self, query_id: str, passage_id: str) -> bool:
        """Whether the texts of a pair were among those that it was fitted with."""
        return query_id in self.index.queries and passage_id in self.index.rows

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Prediction]:
        """One prediction for each pair `(query_id, passage_id)`, in the order given; slicing changes nothing.

        A judged pair is predicted as if it had not been judged. Raises judged_pairs.UnknownPair for a pair
        without text.
        """
        judged_pairs.check_known(pairs, self.index.queries, self.index.rows)
        found: dict[tuple[str, str], Prediction] = {}
        for query_id, group in groupby(sorted(set(pairs)), key=itemgetter(0)):
            own = list(group)
            found.update(zip(own, _predict_topic(self, query_id, own), strict=True))
        return [found[pair] for pair in pairs]


def fit(
    *,
    topics: Mapping[str, TopicText],
    passages: Mapping[str, str],
    grades: Mapping[tuple[str, str], int],
    scale: GradeScale,
    seed: int = 0,
) -> LearnedJudge:
    """Learns from the grades of judged pairs `(query_id, passage_id)`.

    `topics` and `passages` hold the texts of all pairs that will be asked for. Same input and seed, same
    judge, whatever the order of the mappings. Raises judged_pairs.TooFewGrades with fewer than 10 judged pairs
    or a single grade, judged_pairs.UnknownPair where a judged pair has no text, ValueError for a grade off the
    scale.
    """
    judged = judged_pairs.by_topic(grades, scale=scale, topics=topics, passages=passages, seed=seed)
    index = text_index.build(topics=topics, passages=passages, seed=seed)
    collection, taught = lessons.prepare(index, judged)
    spreads = _variances(taught, seed)
    blocks = [lesson.block(spreads) for lesson in taught]
    effects, without = kriging.fit(blocks, spreads.total)
    given = np.concatenate([topic.grades for topic in judged])
    responses = np.concatenate([lesson.responses for lesson in taught])
    familiar = [lesson.forecast(block, effects, spreads) for lesson, block in zip(taught, blocks, strict=True)]
    strange = [
        _forecast_strange(lesson.texts, collection, others, spreads)
        for lesson, others in zip(taught, without, strict=True)
    ]
    return LearnedJudge(
        scale=scale,
        index=index,
        collection=collection,
        variances=spreads,
        effects=effects,
        memories={
            lesson.topic.query_id: Memory(lesson.topic, lesson.scaling, block)
            for lesson, block in zip(taught, blocks, strict=True)
            if len(lesson.design) >= FEW
        },
        familiar=calibrator.fit(kriging.joined(familiar), responses, given),
        strange=calibrator.fit(kriging.joined(strange), responses, given),
    )


def _variances(taught: Sequence[lessons.Lesson], seed: int) -> variances.Variances:
    independent = [kriging.Block(lesson.design, lesson.responses, np.eye(len(lesson.design))) for lesson in taught]
    rough, _ = kriging.fit(independent, 1.0)
    return variances.fit(
        ((lesson.kernels(), (lesson.responses - rough.mean(lesson.design))[:, 0]) for lesson in taught),
        seed,
    )


def _forecast_strange(
    texts: pair_texts.PairTexts,
    collection: scaling.Scaling,
    effects: kriging.Effects,
    spreads: variances.Variances,
) -> kriging.Forecast:
    """Pairs of a topic of which nothing is judged: their features alone."""
    mean = effects.mean(scaling.design(collection, collection, texts.features_alone()))
    return kriging.Forecast(mean, np.full(len(mean), spreads.total))


def _predict_topic(judge: LearnedJudge, query_id: str, pairs: Sequence[tuple[str, str]]) -> list[Prediction]:
    memory = judge.memories.get(query_id)
    rows = judge.index.rows_of([passage_id for _, passage_id in pairs])
    judged = judge.index.rows_of(memory.topic.passage_ids if memory else ())
    texts = pair_texts.compare(judge.index, query_id, rows, judged)
    if memory:
        chosen, forecast = judge.familiar, _forecast_familiar(judge, memory, texts)
    else:
        chosen = judge.strange
        forecast = _forecast_strange(texts, judge.collection, judge.effects, judge.variances)
    likely = calibrator.probabilities(chosen, forecast, judge.scale.grades)
    return [
        Prediction(int(grade), tuple(chances.tolist()), reason)
        for grade, chances, reason in zip(
            calibrator.median(likely, judge.scale.grades),
            likely,
            _reasons(judge, query_id, rows, memory, texts),
            strict=True,
        )
    ]


def _forecast_familiar(judge: LearnedJudge, memory: Memory, texts: pair_texts.PairTexts) -> kriging.Forecast:
    design = scaling.design(judge.collection, memory.scaling, texts.features)
    covariances = np.tensordot(judge.variances.kernels, kernels.between(texts, design, memory.block.design), 1)
    return kriging.forecast(memory.block, judge.effects, design, covariances, texts.is_left_out, judge.variances.total)


def _reasons(
    judge: LearnedJudge,
    query_id: str,
    rows: NDArray[np.int64],
    memory: Memory | None,
    texts: pair_texts.PairTexts,
) -> list[str]:
    query = judge.index.queries[query_id].text
    coverage = [reasons.coverage(judge.index.lexicon, query, int(row)) for row in rows]
    if not memory:
        return [f"{covered}; fewer than {FEW} judged passages in this topic" for covered in coverage]
    nearest = reasons.nearest(texts, memory.topic)
    return [f"{covered}; {near}" for covered, near in zip(coverage, nearest, strict=True)]
