"""The calibrated judge in the model's place, without ever judging what it learned from: taught fold by fold.

The sample is split at random; for each fold a judge learns from the reference's grades and people's of the other
folds. The estimate takes the mean of these judges for all pairs, and corrects it on each sampled pair by what the
judge says that did not learn from it. Source: Zrnic and Candès, Cross-prediction-powered inference, PNAS 121(15),
2024. The folds share what they learned from, so the variance is a little underestimated.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from annotate.formats.scale import GradeScale
from annotate.judges import calibrated, judged_pairs, text_index
from annotate.judges.text_index import TopicText
from annotate.rules import seeds
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.design.inputs import Inputs, Pair
from evaluation.studies.kinds.mixed.design.pair_results import Taught
from evaluation.studies.kinds.mixed.design.plan import Plan

_NAME = "fold {}"


def names(plan: Plan) -> list[str]:
    return [_NAME.format(number) for number in range(1, plan.folds + 1)]


def teach(plan: Plan, inputs: Inputs, name: str) -> dict[str, object]:
    """What the judge of a fold expects all pairs of the frame to gain; or with `refused` why there is none."""
    held_out = _fold_of(plan, inputs, names(plan).index(name))
    learned = {pair: grade for pair, grade in inputs.people.items() if pair in set(inputs.sampled) - held_out}
    learned |= _reference(inputs)
    frame, scale = inputs.frame, GradeScale(inputs.lowest, inputs.highest)
    index = text_index.build(
        topics={query_id: TopicText(text) for query_id, text in inputs.queries.items()},
        passages=inputs.texts,
        seed=plan.seed,
    )
    model = {(query_id, one): grade for query_id, given in (inputs.model or {}).items() for one, grade in given.items()}
    said = {pair: grade for pair, grade in model.items() if grade in scale and pair[0] in inputs.queries}
    try:
        judge = calibrated.fit(
            index, learned, scale=scale, models=[said] if said else [], may_carry_over=True, seed=plan.seed
        )
        predictions = judge.predict(frame)
    except (judged_pairs.TooFewGrades, judged_pairs.UnknownPair) as reason:
        return {"refused": f"The calibrated judge cannot learn: {reason}"}
    worth = gains.table(plan.gain, inputs.highest)[inputs.lowest :].tolist()
    return {"gains": [one.gain(worth) for one in predictions]}


def gather(plan: Plan, inputs: Inputs, found: Mapping[str, Mapping[str, object]], ordered: Sequence[Pair]) -> Taught:
    """`ordered`: the sampled pairs in the order of the sample. Raises ValueError with the reason of a fold."""
    by_fold = [_gains(found[name]) for name in names(plan)]
    places = {pair: place for place, pair in enumerate(inputs.frame)}
    fold = {pair: number for number in range(plan.folds) for pair in _fold_of(plan, inputs, number)}
    sampled = [by_fold[fold[pair]][places[pair]] for pair in ordered]
    return Taught(np.mean(by_fold, axis=0), np.array(sampled))


def _fold_of(plan: Plan, inputs: Inputs, number: int) -> set[Pair]:
    """The sampled pairs of a fold: in random order, every so manieth."""
    shuffled = sorted(inputs.sampled, key=lambda pair: (seeds.number(plan.seed, "fold", *pair, bits=256), pair))
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


def _gains(found: Mapping[str, object]) -> Floats:
    if "refused" in found:
        raise ValueError(found["refused"])
    return np.array(found["gains"], dtype=np.float64)
