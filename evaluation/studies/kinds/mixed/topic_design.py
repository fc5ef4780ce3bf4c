"""The difference estimator on a random sample of whole topics: nDCG itself, since a topic's ideal is known in full.

With m the values of topics under the model's grades and v under people's, of n sampled among T topics, the mean is
that of m over all topics plus that of v - m over the sampled ones. Its variance over samples of these T topics is
var(v - m) (1/n - 1/T); where the topics themselves are a sample of a population, var(v) / T comes in addition.
Sources: Cochran, Sampling Techniques, 3rd ed. 1977, section 7.2; Student, The probable error of a mean, 1908.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels
from evaluation.engine import scoring
from evaluation.measures import registry
from evaluation.measures.grade_matrix import Floats
from evaluation.measures.registry import Measure
from evaluation.studies.kinds.mixed.inputs import Inputs

CUTOFF = 10


@dataclass(frozen=True, eq=False)
class Values:
    """nDCG@10 by system and topic (s, T): `model` under the reference's and the model's grades, `people` where they
    judged instead of the model, which is of worth for the topics that `is_sampled` (T)."""

    model: Floats
    people: Floats
    is_sampled: NDArray[np.bool_]

    @property
    def topics(self) -> int:
        return len(self.is_sampled)

    @property
    def sampled(self) -> int:
        return int(self.is_sampled.sum())

    @cached_property
    def corrections(self) -> Floats:
        """What people change of the values, (s, n)."""
        return (self.people - self.model)[:, self.is_sampled]

    @property
    def estimates(self) -> Floats:
        """The means of systems (s)."""
        result: Floats = self.model.mean(axis=1) + self.corrections.mean(axis=1)
        return result

    @property
    def people_only(self) -> Floats:
        """The means over the sampled topics (s)."""
        result: Floats = self.people[:, self.is_sampled].mean(axis=1)
        return result

    @property
    def over_these(self) -> Floats:
        """The covariance (s, s) over samples of these topics; 0 where all are judged."""
        return covariance(self.corrections) * (1.0 / self.sampled - 1.0 / self.topics)

    @property
    def over_a_population(self) -> Floats:
        """The covariance (s, s) where these topics are a random sample of a population too."""
        return self.over_these + covariance(self.people[:, self.is_sampled]) / self.topics

    @property
    def of_people_only(self) -> Floats:
        """That of `people_only` over samples of these topics."""
        return covariance(self.people[:, self.is_sampled]) * (1.0 / self.sampled - 1.0 / self.topics)


def measure_of(gain: str) -> Measure:
    return registry.parse(f"nDCG@{CUTOFF}" if gain == "linear" else f"nDCG(gain={gain})@{CUTOFF}")


def values_of(inputs: Inputs, gain: str) -> Values:
    """Both values of all topics; sampled pairs without a grade of people's count with the model's."""
    measure = measure_of(gain)
    by_model = _completed(inputs, with_people=False)
    by_people = _completed(inputs, with_people=True)
    topics = sorted(inputs.topics)
    index, vectors = scoring.index_sweep(
        inputs.rankings, [by_model, by_people], measure, topics=topics, highest=inputs.highest
    )
    model, people = scoring.sweep_values(index, vectors, measure, highest=inputs.highest)
    sampled = {stratum.query_id for stratum in inputs.strata if stratum.is_sampled}
    return Values(model, people, np.array([query_id in sampled for query_id in topics]))


def quantile(sampled: int) -> float:
    """The 97.5 % quantile of Student's t with one degree of freedom fewer than topics."""
    from scipy import special  # half a second to import

    return float(special.stdtrit(sampled - 1, 0.975))


def covariance(values: Floats) -> Floats:
    """Of rows (s, n), n at least 2, by n - 1."""
    centred = values - values.mean(axis=1, keepdims=True)
    result: Floats = np.einsum("ai,bi->ab", centred, centred) / (values.shape[1] - 1)
    return result


def _completed(inputs: Inputs, *, with_people: bool) -> Qrels:
    """The reference's grades, and in the frame people's, where they are asked for, and else the model's."""
    model = inputs.model or {}
    completed = {stratum.query_id: dict(inputs.known.get(stratum.query_id, {})) for stratum in inputs.strata}
    for query_id, name in inputs.frame:
        if (grade := model.get(query_id, {}).get(name)) is not None:
            completed[query_id][name] = grade
    if with_people:
        for query_id, name in inputs.sampled:
            if (grade := inputs.people.get((query_id, name))) is not None:
                completed[query_id][name] = grade
    return completed
