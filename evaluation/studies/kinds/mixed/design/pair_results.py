"""What a sample of pairs tells of systems and of their differences, as JSON."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.agreement import value
from evaluation.agreement.value import Value
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.design import bounds, halving, interval, pair_design, refusals
from evaluation.studies.kinds.mixed.design.inputs import Inputs, Pair
from evaluation.studies.kinds.mixed.design.interval import Interval
from evaluation.studies.kinds.mixed.design.pair_design import Estimates, Frame, Places, Sample

Told = dict[str, object]
_FEW = (
    "its top ranks hold {number} sampled pairs, fewer than {least}: the interval rests on the normal distribution, "
    "which so few may not follow"
)


@dataclass(frozen=True, eq=False)
class Taught:
    """Gains from a judge that learned from the sample, in folds: of all pairs of the frame the mean over folds, and of
    the sampled ones, in the order of the sample, what the fold says that did not learn from them."""

    frame: Floats
    sampled: Floats


@dataclass(frozen=True, eq=False)
class Ground:
    """A frame, what was judged of it, and the gains. `missing`: places in the sample of pairs without a grade, whose
    gain in `people` is half the top one."""

    inputs: Inputs
    frame: Frame
    sample: Sample
    model: Floats
    people: Floats
    missing: Places

    @property
    def ordered(self) -> list[Pair]:
        """The sampled pairs, in the order of the sample."""
        pairs = self.inputs.frame
        return [pairs[place] for place in self.sample.places.tolist()]


def ground(inputs: Inputs, gain: str) -> Ground:
    frame = pair_design.frame_of(inputs, gain)
    pairs = inputs.frame
    numbers = {pair: place for place, pair in enumerate(pairs)}
    places = np.array([numbers[pair] for pair in inputs.sampled], dtype=np.intp)
    sample = pair_design.sample_of(frame, places, len(inputs.strata))
    worth = gains.table(gain, inputs.highest)
    graded = [inputs.people.get(pairs[place]) for place in sample.places.tolist()]
    people = np.array([frame.top / 2 if grade is None else worth[grade] for grade in graded])
    missing = np.array([place for place, grade in enumerate(graded) if grade is None], dtype=np.intp)
    model = pair_design.gains_of(pairs, inputs.model or {}, worth)
    return Ground(inputs, frame, sample, model, people, missing)


def results(on: Ground, taught: Taught | None = None) -> Told:
    """Systems in the order of their tags, pairs of them, and how many more judgments halve the intervals."""
    nothing = np.zeros_like(on.model)
    frozen = pair_design.estimate(on.frame, on.sample, on.model, on.people)
    found = frozen
    if taught:
        found = pair_design.estimate(on.frame, on.sample, taught.frame, on.people, taught.sampled)
    alone = pair_design.estimate(on.frame, on.sample, nothing, on.people)
    model = pair_design.model_only(on.frame, on.model)
    weights = on.frame.weights[:, on.sample.places]
    sizes = on.sample.frame, on.sample.sample
    seen = (weights > 0).sum(axis=1)
    return {
        "constant": on.frame.constant,
        "systems": [
            {
                "run_tag": tag,
                **_one(on, found, system, weights).to_json(),
                "people_only": _one(on, alone, system, weights).to_json(),
                "model_only": float(model[system]) if on.inputs.model is not None else None,
                "sampled_pairs": int(seen[system]),
                **_more(halving.more_pairs(found.spread[system], *sizes)),
                **_few(int(seen[system]), _is_exact(on, system)),
            }
            for system, tag in enumerate(on.inputs.rankings.run_tags)
        ],
        "pairs": _differences(on, found, weights),
        **_more(halving.more_pairs(found.spread.mean(axis=0), *sizes)),
    }


def model_alone(on: Ground) -> Told:
    """What can be told of systems where intervals are refused."""
    model = pair_design.model_only(on.frame, on.model)
    is_there = on.inputs.model is not None
    return {
        "constant": on.frame.constant,
        "systems": [
            {"run_tag": tag, "model_only": float(model[system]) if is_there else None}
            for system, tag in enumerate(on.inputs.rankings.run_tags)
        ],
    }


def _one(on: Ground, found: Estimates, system: int, weights: Floats) -> Interval:
    room = bounds.room(on.frame, on.sample, weights[[system]], on.missing)
    variance = float(found.covariance[system, system])
    return interval.around(
        float(found.values[system]), variance, shift=float(room.shift[0]), error=float(room.error[0])
    )


def _differences(on: Ground, found: Estimates, weights: Floats) -> list[Told]:
    """Of each two systems the first's value less the second's."""
    tags = on.inputs.rankings.run_tags
    differing = pair_design.differing(weights)
    open_pairs = np.flatnonzero((on.sample.sample < on.sample.frame)[on.frame.stratum])
    left = pair_design.differing(on.frame.weights[:, open_pairs])
    told = []
    for a, b in itertools.combinations(range(len(tags)), 2):
        number = int(differing[a, b])
        if number < refusals.LEAST_DIFFERING and left[a, b]:
            found_one = interval.refused(refusals.too_few_differ(number), float(found.values[a] - found.values[b]))
        else:
            found_one = _difference(on, found, a, b, weights, is_exact=not left[a, b])
        told.append({"first": tags[a], "second": tags[b], **found_one.to_json(), "differing": number})
    return told


def _difference(on: Ground, found: Estimates, a: int, b: int, weights: Floats, *, is_exact: bool) -> Interval:
    room = bounds.room(on.frame, on.sample, weights[[a]] - weights[[b]], on.missing)
    cov = found.covariance
    variance = 0.0 if is_exact else float(cov[a, a] + cov[b, b] - 2 * cov[a, b])
    value = float(found.values[a] - found.values[b])
    return interval.around(value, variance, shift=float(room.shift[0]), error=float(room.error[0]))


def _is_exact(on: Ground, system: int) -> bool:
    """Whether all open pairs of the system's top ranks are in topics that were judged whole."""
    is_open = (on.sample.sample < on.sample.frame)[on.frame.stratum]
    return not on.frame.weights[system, is_open].any()


def _more(number: Value) -> Told:
    return dict(value.as_json({"more_to_halve": number}))


def _few(number: int, is_exact: bool) -> Mapping[str, object]:
    if is_exact or number >= refusals.LEAST_DIFFERING:
        return {}
    return {"warning": _FEW.format(number=number, least=refusals.LEAST_DIFFERING)}
