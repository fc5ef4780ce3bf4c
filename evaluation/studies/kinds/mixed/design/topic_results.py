"""What a sample of whole topics tells of systems and of their differences, as JSON."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from evaluation.agreement import value
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.design import halving, interval, refusals, topic_design
from evaluation.studies.kinds.mixed.design.inputs import Inputs
from evaluation.studies.kinds.mixed.design.topic_design import Values

Told = dict[str, object]


def results(inputs: Inputs, gain: str) -> Told:
    """Systems in the order of their tags, pairs of them, and how many more topics halve the intervals."""
    values = topic_design.values_of(inputs, gain)
    spread = topic_design.covariance(values.corrections)
    return {
        "systems": _systems(values, inputs, spread),
        "pairs": list(_differences(values, inputs.rankings.run_tags)),
        **_more(float(np.trace(spread)), values),
    }


def model_alone(inputs: Inputs, gain: str) -> Told:
    """What can be told of systems where intervals are refused."""
    found = topic_design.values_of(inputs, gain).model.mean(axis=1)
    return {
        "systems": [
            {"run_tag": tag, "model_only": float(found[s]) if inputs.model is not None else None}
            for s, tag in enumerate(inputs.rankings.run_tags)
        ]
    }


def _systems(values: Values, inputs: Inputs, spread: Floats) -> list[Told]:
    times = topic_design.quantile(values.sampled)
    kinds = (values.over_these, values.over_a_population, values.of_people_only)
    these, population, alone = ([float(each) for each in np.diag(kind)] for kind in kinds)
    estimates, people, model = values.estimates.tolist(), values.people_only.tolist(), values.model.mean(axis=1)
    return [
        {
            "run_tag": tag,
            **interval.around(estimates[s], these[s], times=times).to_json(),
            "population": interval.around(estimates[s], population[s], times=times).to_json(),
            "people_only": interval.around(people[s], alone[s], times=times).to_json(),
            "model_only": float(model[s]) if inputs.model is not None else None,
            **_more(float(spread[s, s]), values),
        }
        for s, tag in enumerate(inputs.rankings.run_tags)
    ]


def _differences(values: Values, tags: Sequence[str]) -> Iterator[Told]:
    """Of each two systems the first's value less the second's."""
    times = topic_design.quantile(values.sampled)
    kinds = (values.over_these, values.over_a_population)
    estimates = values.estimates.tolist()
    for a, b in itertools.combinations(range(len(tags)), 2):
        number = int(np.count_nonzero(values.corrections[a] != values.corrections[b]))
        apart = estimates[a] - estimates[b]
        if number < refusals.LEAST_TOPICS and values.sampled < values.topics:
            found = [interval.refused(refusals.too_few_topics(number), apart)] * 2
        else:
            found = [interval.around(apart, _variance(kind, a, b), times=times) for kind in kinds]
        these, population = (one.to_json() for one in found)
        yield {"first": tags[a], "second": tags[b], **these, "population": population, "differing": number}


def _variance(covariance: Floats, a: int, b: int) -> float:
    return float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])


def _more(spread: float, values: Values) -> Told:
    return dict(value.as_json({"more_to_halve": halving.more_topics(spread, values.topics, values.sampled)}))
