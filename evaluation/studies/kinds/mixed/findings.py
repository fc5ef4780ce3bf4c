"""What a sample tells of systems and of their differences, as JSON: estimates with intervals, or why there are none."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.agreement import value as agreement_value
from evaluation.agreement.value import Value
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.design import Json
from evaluation.studies.kinds.mixed import designs, refusals
from evaluation.studies.kinds.mixed.designs import Estimates, Frame, Places, Sample, Values
from evaluation.studies.kinds.mixed.inputs import Inputs, Pair

Z = 1.959963984540054  # the normal distribution's 97.5 % quantile
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """`low` and `high` are the ends of a 95 % interval around `value`; where one is None, `reason` says why."""

    value: float | None
    low: float | None
    high: float | None
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        return {name: each for name, each in vars(self).items() if each != ""}


def interval_around(
    value: float, variance: float, *, times: float = Z, shift: float = 0.0, error: float = 0.0
) -> Interval:
    """The value plus and minus `times` standard errors; wider by what missing grades can change (see `bounds`)."""
    width = times * (math.sqrt(max(variance, 0.0)) + error) + shift
    return Interval(value, value - width, value + width)


def no_interval(reason: str, value: float | None = None) -> Interval:
    return Interval(value, None, None, reason)


_FEW = (
    "its top ranks hold {number} sampled pairs, fewer than {least}: the interval rests on the normal distribution, "
    "which so few may not follow"
)


@dataclass(frozen=True, eq=False)
class FoldGains:
    """Gains from a judge that learned from the sample, in folds: of all pairs of the frame the mean over folds, and of
    the sampled ones, in the order of the sample, what the fold says that did not learn from them."""

    frame: Floats
    sampled: Floats


@dataclass(frozen=True, eq=False)
class PreparedPairs:
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


def prepare_pairs(inputs: Inputs, gain: str) -> PreparedPairs:
    frame = designs.frame_of(inputs, gain)
    pairs = inputs.frame
    numbers = {pair: place for place, pair in enumerate(pairs)}
    places = np.array([numbers[pair] for pair in inputs.sampled], dtype=np.intp)
    sample = designs.sample_of(frame, places, len(inputs.strata))
    worth = gains.gain_table(gain, inputs.highest)
    graded = [inputs.people.get(pairs[place]) for place in sample.places.tolist()]
    people = np.array([frame.top / 2 if grade is None else worth[grade] for grade in graded])
    missing = np.array([place for place, grade in enumerate(graded) if grade is None], dtype=np.intp)
    model = designs.gains_of(pairs, inputs.model or {}, worth)
    return PreparedPairs(inputs, frame, sample, model, people, missing)


def pair_findings(prepared: PreparedPairs, taught: FoldGains | None = None) -> Json:
    """Systems in the order of their tags, pairs of them, and how many more judgments halve the intervals."""
    nothing = np.zeros_like(prepared.model)
    frozen = designs.estimate(prepared.frame, prepared.sample, prepared.model, prepared.people)
    result = frozen
    if taught:
        result = designs.estimate(prepared.frame, prepared.sample, taught.frame, prepared.people, taught.sampled)
    alone = designs.estimate(prepared.frame, prepared.sample, nothing, prepared.people)
    model = _model_values(prepared.inputs, designs.model_only(prepared.frame, prepared.model))
    weights = prepared.frame.weights[:, prepared.sample.places]
    sizes = prepared.sample.frame, prepared.sample.sample
    seen = (weights > 0).sum(axis=1)

    def of_system(estimates: Estimates, system: int) -> Json:
        variance = float(estimates.covariance[system, system])
        return _interval(prepared, float(estimates.values[system]), variance, weights[system]).to_json()

    return {
        "constant": prepared.frame.constant,
        "systems": [
            {
                "run_tag": tag,
                **of_system(result, system),
                "people_only": of_system(alone, system),
                "model_only": model[system],
                "sampled_pairs": int(seen[system]),
                **_more_pairs(designs.more_pairs_to_halve(result.spread[system], *sizes)),
                **_few(int(seen[system]), _is_exact(prepared, system)),
            }
            for system, tag in enumerate(prepared.inputs.rankings.run_tags)
        ],
        "pairs": _pair_differences(prepared, result, weights),
        **_more_pairs(designs.more_pairs_to_halve(result.spread.mean(axis=0), *sizes)),
    }


def pair_model_alone(prepared: PreparedPairs) -> Json:
    """What is known of systems where intervals are refused."""
    model = designs.model_only(prepared.frame, prepared.model)
    return {"constant": prepared.frame.constant, **_model_alone(prepared.inputs, model)}


def _model_alone(inputs: Inputs, model: Floats) -> Json:
    values = zip(inputs.rankings.run_tags, _model_values(inputs, model), strict=True)
    return {"systems": [{"run_tag": tag, "model_only": each} for tag, each in values]}


def _model_values(inputs: Inputs, model: Floats) -> list[float | None]:
    return [None] * len(model) if inputs.model is None else model.tolist()


def _interval(prepared: PreparedPairs, value: float, variance: float, weights: Floats) -> Interval:
    """Around the value of something that weighs the sampled pairs so."""
    room = designs.bound_missing(prepared.frame, prepared.sample, weights[np.newaxis], prepared.missing)
    return interval_around(value, variance, shift=float(room.shift[0]), error=float(room.error[0]))


def _pair_differences(prepared: PreparedPairs, result: Estimates, weights: Floats) -> list[Json]:
    tags = prepared.inputs.rankings.run_tags
    differing = designs.differing(weights)
    open_pairs = np.flatnonzero((prepared.sample.sample < prepared.sample.frame)[prepared.frame.stratum])
    left = designs.differing(prepared.frame.weights[:, open_pairs])
    rows = []
    for a, b in itertools.combinations(range(len(tags)), 2):
        number, apart = int(differing[a, b]), float(result.values[a] - result.values[b])
        if number < refusals.LEAST_DIFFERING and left[a, b]:
            around = no_interval(refusals.too_few_differ(number), apart)
        else:
            variance = _variance(result.covariance, a, b) if left[a, b] else 0.0
            around = _interval(prepared, apart, variance, weights[a] - weights[b])
        rows.append({"first": tags[a], "second": tags[b], **around.to_json(), "differing": number})
    return rows


def _is_exact(prepared: PreparedPairs, system: int) -> bool:
    """Whether all open pairs of the system's top ranks are in topics that were judged whole."""
    is_open = (prepared.sample.sample < prepared.sample.frame)[prepared.frame.stratum]
    return not prepared.frame.weights[system, is_open].any()


def _more_pairs(number: Value) -> Json:
    return dict(agreement_value.as_json({"more_to_halve": number}))


def _few(number: int, is_exact: bool) -> Mapping[str, object]:
    if is_exact or number >= refusals.LEAST_DIFFERING:
        return {}
    return {"warning": _FEW.format(number=number, least=refusals.LEAST_DIFFERING)}


def topic_findings(inputs: Inputs, gain: str) -> Json:
    """Systems in the order of their tags, pairs of them, and how many more topics halve the intervals."""
    values = designs.values_of(inputs, gain)
    spread = designs.covariance(values.corrections)
    return {
        "systems": _systems(values, inputs, spread),
        "pairs": list(_topic_differences(values, inputs.rankings.run_tags)),
        **_more_topics(float(np.trace(spread)), values),
    }


def topic_model_alone(inputs: Inputs, gain: str) -> Json:
    """What is known of systems where intervals are refused."""
    return _model_alone(inputs, designs.values_of(inputs, gain).model.mean(axis=1))


def _systems(values: Values, inputs: Inputs, spread: Floats) -> list[Json]:
    times = designs.quantile(values.sampled)
    kinds = (values.over_these, values.over_a_population, values.of_people_only)
    these, population, alone = ([float(each) for each in np.diag(kind)] for kind in kinds)
    estimates, people = values.estimates.tolist(), values.people_only.tolist()
    model = _model_values(inputs, values.model.mean(axis=1))
    return [
        {
            "run_tag": tag,
            **interval_around(estimates[s], these[s], times=times).to_json(),
            "population": interval_around(estimates[s], population[s], times=times).to_json(),
            "people_only": interval_around(people[s], alone[s], times=times).to_json(),
            "model_only": model[s],
            **_more_topics(float(spread[s, s]), values),
        }
        for s, tag in enumerate(inputs.rankings.run_tags)
    ]


def _topic_differences(values: Values, tags: Sequence[str]) -> Iterator[Json]:
    """Of each two systems the first's value less the second's."""
    times = designs.quantile(values.sampled)
    kinds = (values.over_these, values.over_a_population)
    estimates = values.estimates.tolist()
    for a, b in itertools.combinations(range(len(tags)), 2):
        number = int(np.count_nonzero(values.corrections[a] != values.corrections[b]))
        apart = estimates[a] - estimates[b]
        if number < refusals.LEAST_TOPICS and values.sampled < values.topics:
            result = [no_interval(refusals.too_few_topics(number), apart)] * 2
        else:
            result = [interval_around(apart, _variance(kind, a, b), times=times) for kind in kinds]
        these, population = (one.to_json() for one in result)
        yield {"first": tags[a], "second": tags[b], **these, "population": population, "differing": number}


def _variance(covariance: Floats, a: int, b: int) -> float:
    return float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])


def _more_topics(spread: float, values: Values) -> Json:
    return dict(
        agreement_value.as_json({"more_to_halve": designs.more_topics_to_halve(spread, values.topics, values.sampled)})
    )
