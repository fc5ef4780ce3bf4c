"""A fitted mixed model with its calibrators: probabilities for pairs of any topic, on one kind of evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import calibration, evidence, mixed_model, prediction, text_features, training
from annotate.judges.training import JudgedTopic

# A topic with fewer judged pairs is predicted as one without: so few say little of its assessor.
FEW = 5


class Memory(NamedTuple):
    """What is kept of a topic that has judged pairs."""

    topic: JudgedTopic
    scaling: mixed_model.Scaling
    block: mixed_model.Block
    leniency: float  # by how much its assessor grades higher than usual


class Outlook(NamedTuple):
    """n pairs of a topic: the probabilities (n, grades), and beside what they were seen."""

    probabilities: NDArray[np.float64]
    texts: text_features.PairTexts
    memory: Memory | None  # of a topic with 5 judged pairs at least

    @property
    def judged(self) -> int:
        """How many judged pairs of the topic spoke, 0 for fewer than 5."""
        return len(self.memory.topic.passage_ids) if self.memory else 0

    def reasons(self) -> list[str]:
        """What the topic's judged pairs say of each pair: how lenient its assessor is, the two nearest passages."""
        if not self.memory:
            return [f"fewer than {FEW} judged passages in this topic"] * len(self.probabilities)
        lenient = prediction.explain_leniency(self.memory.leniency)
        return [f"{lenient}; {near}" for near in prediction.explain_nearest(self.texts, self.memory.topic)]


class TrainingPairs(NamedTuple):
    """The n judged pairs that were learned from, as they looked in a familiar topic and in a strange one."""

    pairs: tuple[tuple[str, str], ...]
    familiar: calibration.Hindsight
    strange: calibration.Hindsight


@dataclass(frozen=True)
class FittedModel:
    """It never changes, and can be pickled."""

    index: text_features.TextIndex
    evidence: evidence.Evidence
    grades: range
    may_copies_speak: bool
    variances: mixed_model.Variances
    effects: mixed_model.Effects
    memories: dict[str, Memory]
    familiar: calibration.Calibrator  # for topics that are remembered
    strange: calibration.Calibrator  # for all others
    training_pairs: TrainingPairs

    def outlook(self, query_id: str, passage_ids: Sequence[str]) -> Outlook:
        """Pairs of a topic, a judged one as if it had not been judged."""
        memory = self.memories.get(query_id)
        rows = self.index.rows_of(passage_ids)
        judged = self.index.rows_of(memory.topic.passage_ids if memory else ())
        texts = text_features.compare_texts(self.index, query_id, rows, judged, may_copies_speak=self.may_copies_speak)
        features = self.evidence.features(query_id, passage_ids, texts)
        if memory:
            design = self.evidence.design(features, memory.scaling)
            chosen, forecast = self.familiar, self._forecast(memory, texts, design)
        else:
            design = self.evidence.design_alone(features)
            chosen, forecast = self.strange, mixed_model.Forecast(self.effects.mean(design), self._beforehand(design))
        exceedances = self.evidence.exceedances(design)
        return Outlook(calibration.predict_probabilities(chosen, forecast, exceedances, self.grades), texts, memory)

    def hindsight(self) -> dict[tuple[str, str], tuple[float, ...]]:
        """The probabilities of each judged pair's grades as if nothing that was fitted had seen its own."""
        pairs, *both = self.training_pairs
        familiar, strange = (calibration.cross_fit(known, self.grades).tolist() for known in both)
        return {
            pair: tuple(known if pair[0] in self.memories else unknown)
            for pair, known, unknown in zip(pairs, familiar, strange, strict=True)
        }

    def _forecast(
        self, memory: Memory, texts: text_features.PairTexts, design: NDArray[np.float64]
    ) -> mixed_model.Forecast:
        alike = self.evidence.kernels(texts, design, memory.block.design)
        covariances = np.tensordot(self.variances.kernels, alike, 1)
        beforehand = self._beforehand(design)
        return mixed_model.forecast_pairs(
            memory.block, self.effects, design, covariances, texts.is_left_out, beforehand
        )

    def _beforehand(self, design: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.variances.beforehand(self.evidence.own_kernels(design))


def fit_model(
    ground: evidence.Evidence,
    index: text_features.TextIndex,
    judged: Sequence[JudgedTopic],
    grades: range,
    *,
    may_copies_speak: bool,
    seed: int,
) -> FittedModel:
    """Learns from judged pairs, of which there are enough (`training.group_by_topic`)."""
    parts = training.prepare_topics(ground, index, judged, may_copies_speak=may_copies_speak)
    spreads = _variances(parts, seed)
    blocks = [part.block(spreads) for part in parts]
    effects, without = mixed_model.fit_effects(blocks, spreads.total)
    familiar = [part.forecast(block, effects, spreads) for part, block in zip(parts, blocks, strict=True)]
    strange = [part.forecast_alone(others, spreads) for part, others in zip(parts, without, strict=True)]
    training_pairs = TrainingPairs(
        tuple((topic.query_id, passage_id) for topic in judged for passage_id in topic.passage_ids),
        *(_hindsight(parts, forecasts) for forecasts in (familiar, strange)),
    )
    return FittedModel(
        index=index,
        evidence=parts[0].evidence,
        grades=grades,
        may_copies_speak=may_copies_speak,
        variances=spreads,
        effects=effects,
        memories={
            part.topic.query_id: Memory(part.topic, part.scaling, block, _leniency(block, effects, spreads))
            for part, block in zip(parts, blocks, strict=True)
            if len(part.design) >= FEW
        },
        familiar=calibration.fit_calibrator(training_pairs.familiar),
        strange=calibration.fit_calibrator(training_pairs.strange),
        training_pairs=training_pairs,
    )


def _hindsight(
    parts: Sequence[training.TopicTraining[evidence.Evidence]], forecasts: Sequence[mixed_model.Forecast]
) -> calibration.Hindsight:
    return calibration.Hindsight(
        mixed_model.join_forecasts(forecasts),
        np.concatenate([part.evidence.exceedances(part.design) for part in parts]),
        np.concatenate([part.responses for part in parts]),
        np.concatenate([part.topic.grades for part in parts]),
    )


def _variances(parts: Sequence[training.TopicTraining[evidence.Evidence]], seed: int) -> mixed_model.Variances:
    independent = [mixed_model.Block(part.design, part.responses, np.eye(len(part.design))) for part in parts]
    rough, _ = mixed_model.fit_effects(independent, 1.0)
    return mixed_model.fit_variances(
        ((part.kernels(), (part.responses - rough.mean(part.design))[:, 0]) for part in parts), seed
    )


def _leniency(block: mixed_model.Block, effects: mixed_model.Effects, spreads: mixed_model.Variances) -> float:
    """The mean forecast of what the judged pairs of a topic have beyond the effects, noise left out."""
    residuals = block.responses[:, 0] - effects.mean(block.design)[:, 0]
    return float((residuals - spreads.noise * (block.inverse @ residuals)).mean())
