"""What a forecast rests on beside the judged pairs of a topic: the query's words, or what models say of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from annotate.judges import mixed_model, model_labels, text_features

Floats = NDArray[np.float64]


class Evidence(Protocol):
    """How pairs of a topic become the input of the mixed model."""

    def features(self, query_id: str, passage_ids: Sequence[str], texts: text_features.PairTexts) -> Floats:
        """(n, p) what is known of each pair before anybody has judged it."""

    def learned_from(self, features: Floats) -> Self:
        """The same, having seen the features of all judged pairs."""

    def scaled_by(self, features: Floats) -> mixed_model.Scaling:
        """On which scale a topic's features stand, from those of its judged pairs."""

    def design(self, features: Floats, own: mixed_model.Scaling) -> Floats:
        """(n, q) the fixed effects' side of pairs of a topic with the scaling `own`."""

    def design_alone(self, features: Floats) -> Floats:
        """(n, q) the same in a topic of which nothing is judged."""

    def kernels(self, texts: text_features.PairTexts, design: Floats, judged_design: Floats) -> Floats:
        """(k, n, m) how alike the pairs are to the judged ones."""

    def own_kernels(self, design: Floats) -> Floats:
        """(k, n) each kernel of a pair with itself."""

    def exceedances(self, design: Floats) -> Floats:
        """(n, s) how likely at least each grade is to the models; s = 0 without any."""


@dataclass(frozen=True)
class TextEvidence:
    """Passages beside the words of query and backstory."""

    index: text_features.TextIndex
    collection: mixed_model.Scaling

    def features(self, query_id: str, passage_ids: Sequence[str], texts: text_features.PairTexts) -> Floats:
        return text_features.compute_features(self.index, query_id, self.index.rows_of(passage_ids), texts)

    def learned_from(self, features: Floats) -> Self:
        return replace(self, collection=mixed_model.scale_collection(features))

    def scaled_by(self, features: Floats) -> mixed_model.Scaling:
        return mixed_model.scale_topic(self.collection, features)

    def design(self, features: Floats, own: mixed_model.Scaling) -> Floats:
        return mixed_model.build_design(self.collection, own, features)

    def design_alone(self, features: Floats) -> Floats:
        return mixed_model.build_design(self.collection, self.collection, text_features.blank_judged_features(features))

    def kernels(self, texts: text_features.PairTexts, design: Floats, judged_design: Floats) -> Floats:
        return mixed_model.compute_text_kernels(texts, design, judged_design)

    def own_kernels(self, design: Floats) -> Floats:
        return mixed_model.own_text_kernels(len(design))

    def exceedances(self, design: Floats) -> Floats:
        return np.empty((len(design), 0))


@dataclass(frozen=True)
class ModelEvidence:
    """What models say of the pairs, beside what text tells."""

    text: TextEvidence
    labels: model_labels.ModelLabels
    centre: float  # the mean of the models' mean grade, above the lowest

    def features(self, query_id: str, passage_ids: Sequence[str], texts: text_features.PairTexts) -> Floats:
        likely = self.labels.select([(query_id, passage_id) for passage_id in passage_ids])
        exceedances = model_labels.exceedance_probabilities(likely).reshape(len(passage_ids), -1)
        return np.hstack([self.text.features(query_id, passage_ids, texts), exceedances])

    def learned_from(self, features: Floats) -> Self:
        text, exceedances = self._split(features)
        return replace(self, text=self.text.learned_from(text), centre=float(self._grades(exceedances).mean()))

    def scaled_by(self, features: Floats) -> mixed_model.Scaling:
        return self.text.scaled_by(self._split(features)[0])

    def design(self, features: Floats, own: mixed_model.Scaling) -> Floats:
        text, exceedances = self._split(features)
        return np.hstack([self.text.design(text, own), exceedances])

    def design_alone(self, features: Floats) -> Floats:
        text, exceedances = self._split(features)
        return np.hstack([self.text.design_alone(text), exceedances])

    def kernels(self, texts: text_features.PairTexts, design: Floats, judged_design: Floats) -> Floats:
        (text, exceedances), (judged_text, judged_exceedances) = self._split(design), self._split(judged_design)
        grades, judged_grades = (self._grades(each) - self.centre for each in (exceedances, judged_exceedances))
        return np.concatenate(
            [
                self.text.kernels(texts, text, judged_text),
                mixed_model.compute_model_kernels(texts, grades, judged_grades),
            ]
        )

    def own_kernels(self, design: Floats) -> Floats:
        text, exceedances = self._split(design)
        return np.concatenate(
            [self.text.own_kernels(text), mixed_model.own_model_kernels(self._grades(exceedances) - self.centre)]
        )

    def exceedances(self, design: Floats) -> Floats:
        by_model = self._split(design)[1].reshape(len(design), self.labels.raters, -1)
        return np.asarray(by_model.mean(axis=1), np.float64)

    def _split(self, columns: Floats) -> tuple[Floats, Floats]:
        """The columns that text gives, and those of the models, which are the last."""
        place = columns.shape[1] - self.labels.raters * (len(self.labels.scale.grades) - 1)
        return columns[:, :place], columns[:, place:]

    def _grades(self, exceedances: Floats) -> Floats:
        """(n,) the models' mean grade, above the lowest of the scale."""
        return np.asarray(exceedances.sum(axis=1) / self.labels.raters, np.float64)


def text_evidence(index: text_features.TextIndex) -> TextEvidence:
    """Text that has seen no judged pairs yet."""
    return TextEvidence(index, mixed_model.scale_collection(np.empty((0, 0))))


def model_evidence(index: text_features.TextIndex, labels: model_labels.ModelLabels) -> ModelEvidence:
    """Models and text that have seen no judged pairs yet."""
    return ModelEvidence(text_evidence(index), labels, 0.0)
