"""What a judge that learns from the remaining grades puts into the holes of one trial."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from annotate.rules import drawing
from evaluation.engine import pair_index
from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import trials
from evaluation.studies.kinds.holes.inputs import Prepared, Texts
from evaluation.studies.kinds.holes.plan import CALIBRATED, Filler

if TYPE_CHECKING:
    from annotate.judges.calibrated import CalibratedJudge
    from annotate.judges.prediction import Prediction
    from annotate.judges.text_features import TextIndex

Pair = tuple[str, str]
# Comparisons within a topic are kept for all trials up to so many passages: they take 12 bytes each.
_MOST_KEPT = 800


def run_judge_trial(prepared: Prepared, part: trials.Part) -> trials.TrialResult:
    """As `trials.of_labels`, of one trial and one judge, with tau-b by the gains that it expects."""
    [filler] = part.fillers
    taken = trials.draw_holes(prepared, part.pattern, part.fraction, part.names)
    remaining = trials.remaining_grades(prepared, taken)
    pairs = prepared.pairs
    known = {pairs[number]: int(prepared.full[number]) for number in prepared.judged if not taken[0, number]}
    asked = {pairs[number]: int(number) for number in np.flatnonzero(taken[0])}
    predictions, warning = _predictions(prepared, filler, known, list(asked), part.names[0])
    vector = remaining[0].copy()
    for pair, prediction in predictions.items():
        vector[asked[pair]] = prediction.grade
    values = _by_gains(prepared, remaining[0], {asked[pair]: each.for_scoring for pair, each in predictions.items()})
    result = trials.compare_with_reference(
        prepared, filler, list(trials.score_systems(prepared, filler, vector[np.newaxis]))
    )
    gained = trials.compare_with_reference(prepared, filler, [values])
    result |= {"tau_b_gain": gained["tau_b"], "tau_ap_gain": gained["tau_ap"], "rmse_gain": gained["rmse"]}
    result |= trials.measure_agreement(prepared, filler, taken, vector[np.newaxis])
    return {
        "trials": list(part.names),
        "dropped": taken.sum(axis=-1).tolist(),
        filler.text: result | {"warnings": [warning] if warning else []},
    }


def _predictions(
    prepared: Prepared, filler: Filler, known: Mapping[Pair, int], asked: list[Pair], name: str
) -> tuple[dict[Pair, "Prediction"], str]:
    """What the judge says of holes with a text, and its warning; nothing where it has too little to learn from."""
    from annotate.judges import training  # scikit-learn and scipy: not for who fills with labels

    texts = _texts_of(prepared, filler)
    read = {pair: grade for pair, grade in known.items() if _can_read(texts, pair)}
    open_pairs = [pair for pair in asked if _can_read(texts, pair)]
    try:
        judge = _fitted(prepared, filler, texts, read, name)
        return dict(zip(open_pairs, judge.predict(open_pairs), strict=True)), judge.warning
    except training.TooFewGrades as reason:
        return {}, str(reason)


def _fitted(
    prepared: Prepared, filler: Filler, texts: Texts, known: Mapping[Pair, int], name: str
) -> "CalibratedJudge":
    from annotate.judges import calibrated

    models = [_model_labels(prepared, filler, texts)] if filler.kind == CALIBRATED else []
    seed = drawing.seeded_number(prepared.plan.seed, "judge", name, bits=31)
    return calibrated.fit_judge(_index(prepared, texts), known, scale=prepared.inputs.scale, models=models, seed=seed)


def _model_labels(prepared: Prepared, filler: Filler, texts: Texts) -> dict[Pair, int | Sequence[float]]:
    """Of the graded pairs alone: the judge compares those that remain with those that are asked for."""
    if filler.text not in prepared.inputs.model_labels:
        raise PlanRefused(f"the grades that {filler.text} needs are not there")
    labels = prepared.inputs.model_labels[filler.text]
    pairs = prepared.pairs
    graded = (pairs[number] for number in prepared.judged)
    return {pair: labels[pair] for pair in graded if pair in labels and _can_read(texts, pair)}


def _texts_of(prepared: Prepared, filler: Filler) -> Texts:
    if filler.text not in prepared.inputs.texts:
        raise PlanRefused(f"the texts that {filler.text} needs are not there")
    return prepared.inputs.texts[filler.text]


def _can_read(texts: Texts, pair: Pair) -> bool:
    return pair[0] in texts.topics and pair[1] in texts.passages


def _index(prepared: Prepared, texts: Texts) -> "TextIndex":
    """The texts, compared once for all trials."""
    if texts not in prepared.compared:
        prepared.compared[texts] = _compared(prepared, texts)
    result: TextIndex = prepared.compared[texts]
    return result


def _compared(prepared: Prepared, texts: Texts) -> "TextIndex":
    from annotate.judges import text_features

    names = {passage_id for query_id, passage_id in prepared.pairs if _can_read(texts, (query_id, passage_id))}
    built = text_features.build_index(
        topics={query_id: text_features.TopicText(*both) for query_id, both in sorted(texts.topics.items())},
        passages={passage_id: texts.passages[passage_id] for passage_id in names},
        seed=prepared.plan.seed % 2**31,
    )
    readable = {
        query_id: [passage_id for passage_id in known if passage_id in names]
        for query_id, known in zip(prepared.index.topics, prepared.index.numbers, strict=True)
        if query_id in texts.topics
    }
    return text_features.keep_comparisons(
        built, {key: few for key, few in readable.items() if 0 < len(few) <= _MOST_KEPT}
    )


def _by_gains(prepared: Prepared, remaining: Grades, likely: Mapping[int, tuple[float, ...]]) -> Floats:
    """The measure (systems, topics) with expected gains in the holes, as `grade_matrix.code_uncertain` has them."""
    scale = prepared.inputs.scale
    below = (0.0,) * scale.low
    rows = np.array([*np.eye(scale.high + 1), *(np.array([*below, *each]) / sum(each) for each in likely.values())])
    coded = remaining.astype(grade_matrix.cell_type(len(rows)))
    coded[list(likely)] = np.arange(scale.high + 1, len(rows))
    matrix = pair_index.matrix(prepared.index, coded, highest=scale.high)
    return prepared.plan.measure.compute(replace(matrix, probabilities=rows))
