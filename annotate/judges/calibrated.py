"""The calibrated judge: what the judged pairs of a collection make of models' grades.

Three steps: each pair's text beside the judged passages of its topic (`text_features`), a mixed model over models'
grades and these similarities that forecasts each judged pair without its own grade (`mixed_model`), and probabilities
learned from how such forecasts turned out (`calibration`). Pairs that no model labelled are left to text alone, as all
pairs are in the learned judge (`fit_text_judge`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import NamedTuple

from annotate.formats.records import GradeScale
from annotate.judges import evidence, fitted_model, model_labels, prediction, text_features, training
from annotate.judges.model_labels import Label, ModelLabels, Pair
from annotate.judges.prediction import Prediction
from annotate.judges.text_features import TopicText

# So many judged pairs of a topic weigh as much as the models' own grade in a gain for scoring.
_PRIOR_PAIRS = 40
_OTHERS = "the holes are known to be of another kind than the judged pairs"
_AS_THEY_ARE = "models' grades stand as they are"


class TrainingSet(NamedTuple):
    """What a judge learns from, and how."""

    texts: text_features.TextIndex
    grades: Mapping[Pair, int]  # of the judged pairs
    scale: GradeScale
    may_copies_speak: bool
    seed: int

    def teach(self, ground: evidence.Evidence, grades: Mapping[Pair, int]) -> fitted_model.FittedModel:
        """The model that `grades` teach. Raises training.TooFewGrades."""
        judged = training.group_by_topic(
            grades, scale=self.scale, topics=self.texts.queries, passages=self.texts.rows, seed=self.seed
        )
        return fitted_model.fit_model(
            ground, self.texts, judged, self.scale.grades, may_copies_speak=self.may_copies_speak, seed=self.seed
        )


@dataclass(frozen=True)
class CalibratedJudge:
    """A fitted judge. What it says never changes, and it can be pickled.

    `warning` says why models' grades are given as they are, or what else is doubtful; it is empty otherwise.
    """

    training_set: TrainingSet
    labels: ModelLabels | None
    with_models: fitted_model.FittedModel | None  # and text; None without models, and where these stand as they are
    warning: str

    def has_read(self, query_id: str, passage_id: str) -> bool:
        """Whether the texts of a pair were among those that it was fitted with."""
        return query_id in self.training_set.texts.queries and passage_id in self.training_set.texts.rows

    def predict(self, pairs: Sequence[Pair]) -> list[Prediction]:
        """One prediction for each pair `(query_id, passage_id)`, in the order given; slicing changes nothing.

        A judged pair is predicted as if it had not been judged. Raises training.UnknownPair for a pair
        without text, training.TooFewGrades for one of which only text can tell, if that has too little to
        learn from.
        """
        training.check_texts(pairs, self.training_set.texts.queries, self.training_set.texts.rows)
        predictions: dict[Pair, Prediction] = {}
        for query_id, group in groupby(sorted(set(pairs)), key=itemgetter(0)):
            passage_ids = [passage_id for _, passage_id in group]
            for each, predict in ((True, _predict_with_models), (False, _predict_from_text)):
                chosen = [one for one in passage_ids if self.has_label(query_id, one) is each]
                several = predict(self, query_id, chosen) if chosen else ()
                predictions.update(zip(((query_id, one) for one in chosen), several, strict=True))
        return [predictions[pair] for pair in pairs]

    def hindsight(self) -> dict[Pair, tuple[float, ...]]:
        """The probabilities of each judged pair's grades as if nothing had seen its own.

        For `calibration.report_reliability`. Of the pairs that a model labelled, if there are models; empty where their
        grades stand as they are.
        """
        if self.labels is None:
            return self.alone.hindsight()
        return self.with_models.hindsight() if self.with_models else {}

    def has_label(self, query_id: str, passage_id: str) -> bool:
        """Whether a model labelled the pair."""
        return self.labels is not None and (query_id, passage_id) in self.labels.rows

    @cached_property
    def alone(self) -> fitted_model.FittedModel:
        """Text alone; fitted when first asked for."""
        return self.training_set.teach(evidence.text_evidence(self.training_set.texts), self.training_set.grades)


def fit_judge(
    index: text_features.TextIndex,
    grades: Mapping[Pair, int],
    *,
    scale: GradeScale,
    models: Sequence[Mapping[Pair, Label]] = (),
    may_carry_over: bool | None = None,
    may_copies_speak: bool = True,
    seed: int = 0,
) -> CalibratedJudge:
    """Learns from the grades of judged pairs `(query_id, passage_id)`, and from models' labels of pairs.

    `index` has the texts of all pairs that will be asked for. Each of `models` has grades, or probabilities of the
    scale's grades, of judged pairs and of others, which are the holes. What judged pairs teach may not carry over to
    holes of another kind: where models see a difference (`model_labels.find_shift`), or the caller knows of one
    (`may_carry_over` is False), models' grades stand as they are, and `warning` says why; as they do with fewer judged
    pairs than one can learn from. `may_carry_over=True` looks for no difference. Without `may_copies_speak`,
    near-duplicates of a passage do not speak for it, which tells how much of a judge's success is theirs. Same input
    and seed, same judge, whatever the order of the mappings. Raises training.UnknownPair where a judged pair has no
    text, ValueError for a grade off the scale and for what no model can say, and without models training.TooFewGrades.
    """
    training.check_grades(grades, scale=scale, topics=index.queries, passages=index.rows)
    training_set = TrainingSet(index, grades, scale, may_copies_speak, seed)
    if any(models):
        return _with_models(training_set, model_labels.build_labels(models, scale), may_carry_over)
    doubt = f"{_OTHERS}: what these teach may not hold for them" if may_carry_over is False else ""
    judge = CalibratedJudge(training_set, None, None, doubt)
    judge.alone  # noqa: B018  # so that too few grades are refused here
    return judge


def fit_text_judge(
    *,
    topics: Mapping[str, TopicText],
    passages: Mapping[str, str],
    grades: Mapping[Pair, int],
    scale: GradeScale,
    seed: int = 0,
) -> CalibratedJudge:
    """The learned judge: the calibrated one without a model. It reads text, and learns from the grades of judged pairs.

    `topics` and `passages` hold the texts of all pairs that will be asked for. Raises training.TooFewGrades with fewer
    than 10 judged pairs or a single grade, training.UnknownPair where a judged pair has no text, ValueError for a grade
    off the scale.
    """
    training.check_trainable(grades, scale=scale, topics=topics, passages=passages)
    index = text_features.build_index(topics=topics, passages=passages, seed=seed)
    return fit_judge(index, grades, scale=scale, seed=seed)


def _with_models(training_set: TrainingSet, labels: ModelLabels, may_carry_over: bool | None) -> CalibratedJudge:
    labelled = {pair: grade for pair, grade in training_set.grades.items() if pair in labels.rows}
    doubt = _doubt(labels, training_set.grades, may_carry_over)
    if doubt:
        return CalibratedJudge(training_set, labels, None, f"{doubt}: {_AS_THEY_ARE}")
    try:
        with_models = training_set.teach(evidence.model_evidence(training_set.texts, labels), labelled)
    except training.TooFewGrades as reason:
        return CalibratedJudge(training_set, labels, None, f"{reason}: {_AS_THEY_ARE}")
    return CalibratedJudge(training_set, labels, with_models, "")


def _doubt(labels: ModelLabels, judged: Mapping[Pair, int], may_carry_over: bool | None) -> str:
    """Why judged pairs do not teach what holes are; empty where they do."""
    if may_carry_over is False:
        return _OTHERS
    shift = None if may_carry_over else model_labels.find_shift(labels, judged)
    return str(shift) if shift and shift.is_certain else ""


def _predict_with_models(judge: CalibratedJudge, query_id: str, passage_ids: Sequence[str]) -> Iterator[Prediction]:
    assert judge.labels
    scale = judge.training_set.scale
    likely = judge.labels.select([(query_id, passage_id) for passage_id in passage_ids])
    raw, labels = likely.mean(axis=1), [prediction.explain_models(each, scale.low) for each in likely]
    if not judge.with_models:
        return prediction.build_predictions(scale.grades, raw, _join_reasons(labels, warning=judge.warning))
    seen = judge.with_models.outlook(query_id, passage_ids)
    weight = seen.judged / (seen.judged + _PRIOR_PAIRS)
    return prediction.build_predictions(
        scale.grades,
        seen.probabilities,
        _join_reasons(labels, seen.reasons()),
        deciding=None if seen.memory else raw,
        for_scoring=weight * seen.probabilities + (1 - weight) * raw,
    )


def _predict_from_text(judge: CalibratedJudge, query_id: str, passage_ids: Sequence[str]) -> Iterator[Prediction]:
    index = judge.training_set.texts
    seen = judge.alone.outlook(query_id, passage_ids)
    query = index.queries[query_id].text
    covered = [prediction.explain_coverage(index.lexicon, query, int(row)) for row in index.rows_of(passage_ids)]
    why = _join_reasons(covered, seen.reasons(), judge.warning)
    return prediction.build_predictions(judge.training_set.scale.grades, seen.probabilities, why)


def _join_reasons(blind: Sequence[str], learned: Sequence[str] = (), warning: str = "") -> Iterator[tuple[str, str]]:
    """The whole reason of each pair, and the part that is `blind`; `learned` quotes grades of judged pairs."""
    for each, quoting in zip_longest(blind, learned, fillvalue=""):
        yield "; ".join(filter(None, (each, quoting, warning))), "; ".join(filter(None, (each, warning)))
