"""The parts of the study, and what they come to.

The calibrated judge in the model's place never judges what it learned from: it is taught fold by fold. The sample is
split at random; for each fold a judge learns from the reference's grades and people's of the other
folds. The estimate takes the mean of these judges for all pairs, and corrects it on each sampled pair by what the
judge says that did not learn from it. Source: Zrnic and Candès, Cross-prediction-powered inference, PNAS 121(15),
2024. The folds share what they learned from, so the variance is a little underestimated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from annotate.formats.records import GradeScale
from annotate.judges import calibrated, text_features, training
from annotate.rules import drawing
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.design import Json
from evaluation.studies.kinds.mixed import findings, refusals
from evaluation.studies.kinds.mixed.inputs import PAIR, TOPIC, Inputs, Pair
from evaluation.studies.kinds.mixed.plan import BOUNDS, CROSS_FITTED, Plan

PartResults = Mapping[str, Json]
_NAME = "fold {}"


def fold_names(plan: Plan) -> list[str]:
    return [_NAME.format(number) for number in range(1, plan.folds + 1)]


def teach_fold(plan: Plan, inputs: Inputs, name: str) -> Json:
    """What the judge of a fold expects all pairs of the frame to gain; or with `refused` why there is none."""
    held_out = _fold_of(plan, inputs, fold_names(plan).index(name))
    learned = {pair: grade for pair, grade in inputs.people.items() if pair in set(inputs.sampled) - held_out}
    learned |= _reference(inputs)
    frame, scale = inputs.frame, GradeScale(inputs.lowest, inputs.highest)
    index = text_features.build_index(
        topics={query_id: text_features.TopicText(text) for query_id, text in inputs.queries.items()},
        passages=inputs.texts,
        seed=plan.seed,
    )
    model = {(query_id, one): grade for query_id, given in (inputs.model or {}).items() for one, grade in given.items()}
    labels = {pair: grade for pair, grade in model.items() if grade in scale and pair[0] in inputs.queries}
    try:
        judge = calibrated.fit_judge(
            index, learned, scale=scale, models=[labels] if labels else [], may_carry_over=True, seed=plan.seed
        )
        predictions = judge.predict(frame)
    except (training.TooFewGrades, training.UnknownPair) as reason:
        return {"refused": f"The calibrated judge cannot learn: {reason}"}
    worth = gains.gain_table(plan.gain, inputs.highest)[inputs.lowest :].tolist()
    return {"gains": [one.gain(worth) for one in predictions]}


def gather_folds(plan: Plan, inputs: Inputs, result: PartResults, ordered: Sequence[Pair]) -> findings.FoldGains:
    """`ordered`: the sampled pairs in the order of the sample. Raises ValueError with the reason of a fold."""
    by_fold = [_gains(result[name]) for name in fold_names(plan)]
    places = {pair: place for place, pair in enumerate(inputs.frame)}
    fold = {pair: number for number in range(plan.folds) for pair in _fold_of(plan, inputs, number)}
    sampled = [by_fold[fold[pair]][places[pair]] for pair in ordered]
    return findings.FoldGains(np.mean(by_fold, axis=0), np.array(sampled))


def _fold_of(plan: Plan, inputs: Inputs, number: int) -> set[Pair]:
    """The sampled pairs of a fold: in random order, every so manieth."""
    shuffled = sorted(
        inputs.sampled, key=lambda pair: (drawing.seeded_number(plan.seed, "fold", *pair, bits=256), pair)
    )
    return set(shuffled[number :: plan.folds])


def _reference(inputs: Inputs) -> dict[Pair, int]:
    """Its grades on the scale, of pairs that have texts."""
    return {
        (query_id, name): grade
        for query_id, given in inputs.known.items()
        if query_id in inputs.queries
        for name, grade in given.items()
        if name in inputs.texts and inputs.lowest <= grade <= inputs.highest
    }


def _gains(result: Json) -> Floats:
    if "refused" in result:
        raise ValueError(result["refused"])
    return np.array(result["gains"], dtype=np.float64)


_ESTIMATE = "estimate"
# Without these it is not even known which pairs could be sampled.
_FRAME = {"runs", "reference", "frame"}
_TOO_LITTLE = "Have more pairs judged, or use the method frozen."
_PAIRS_ONLY = refusals.Refusal(
    "topics", "A judge taught in folds is there for samples of pairs only.", "Use the method frozen for whole topics."
)


def list_parts(plan: Plan, inputs: Inputs) -> list[str]:
    """A fold each where a judge is taught; else one."""
    return fold_names(plan) if _is_taught(plan) and not _refused(plan, inputs.cut(plan.rounds)) else [_ESTIMATE]


def run_part(plan: Plan, inputs: Inputs, name: str) -> Json:
    asked = inputs.cut(plan.rounds)
    return _estimated(plan, asked, None) if name == _ESTIMATE else teach_fold(plan, asked, name)


def gather(plan: Plan, inputs: Inputs, part_results: PartResults) -> Json:
    """The result. `refused` says why there are no intervals: then systems have what the model alone says."""
    return (
        dict(part_results[_ESTIMATE])
        if _ESTIMATE in part_results
        else _estimated(plan, inputs.cut(plan.rounds), part_results)
    )


def _estimated(plan: Plan, inputs: Inputs, taught: PartResults | None) -> Json:
    refused = _refused(plan, inputs)
    estimated: Json = {"systems": [], "pairs": []}
    if inputs.strata and not _FRAME.intersection(inputs.changed):
        if inputs.unit == PAIR:
            estimated |= _of_pairs(plan, inputs, taught, refused)
        else:
            find = findings.topic_model_alone if refused else findings.topic_findings
            estimated |= find(inputs, plan.gain)
    return _describe_inputs(plan, inputs) | {"refused": list(map(asdict, refused))} | estimated


def _of_pairs(plan: Plan, inputs: Inputs, taught: PartResults | None, refused: list[refusals.Refusal]) -> Json:
    """A judge that cannot learn in some fold is one more refusal."""
    prepared = findings.prepare_pairs(inputs, plan.gain)
    folded = None
    if taught and not refused:
        try:
            folded = gather_folds(plan, inputs, taught, prepared.ordered)
        except ValueError as reason:
            refused.append(refusals.Refusal("judge", str(reason), _TOO_LITTLE))
    return findings.pair_model_alone(prepared) if refused else findings.pair_findings(prepared, folded)


def _refused(plan: Plan, inputs: Inputs) -> list[refusals.Refusal]:
    result = refusals.list_refusals(inputs, plan)
    return [*result, _PAIRS_ONLY] if _is_taught(plan) and inputs.unit == TOPIC else result


def _describe_inputs(plan: Plan, inputs: Inputs) -> Json:
    """What all numbers are of."""
    unanswered = inputs.unanswered_by_reason()
    return {
        "unit": inputs.unit,
        "measure": measure_name(inputs.unit, inputs.depth),
        "gain": plan.gain,
        "method": plan.method,
        "is_approximate": _is_taught(plan),
        "level": findings.LEVEL,
        "model": inputs.model_name or None,
        "seed": inputs.seed,
        "rounds": plan.rounds if inputs.unit == PAIR else None,
        "topics": len(inputs.strata),
        "topics_sampled": sum(stratum.is_sampled for stratum in inputs.strata),
        "frame": len(inputs.frame),
        "sample": len(inputs.sampled),
        "answered": len(inputs.sampled) - unanswered.total(),
        "unanswered": dict(sorted(unanswered.items())),
        "is_bounded": plan.unanswered == BOUNDS and bool(unanswered),
        "left_out": inputs.left_out,
        "runs_since": inputs.runs_since,
        "earlier_samples": inputs.earlier_samples,
        "without_model_grade": _without_model(inputs),
    }


def measure_name(unit: str, depth: int) -> str:
    """What the numbers are, in words: DCG over a constant is not nDCG."""
    return "nDCG@10" if unit == TOPIC else f"DCG@{depth} over its greatest value"


def _without_model(inputs: Inputs) -> int | None:
    """Pairs of the frame that the model gives no grade: they enter with no gain."""
    if inputs.model is None:
        return None
    return sum(name not in inputs.model.get(query_id, {}) for query_id, name in inputs.frame)


def _is_taught(plan: Plan) -> bool:
    return plan.method == CROSS_FITTED
