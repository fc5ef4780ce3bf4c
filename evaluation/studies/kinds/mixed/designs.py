"""The difference estimator on a random sample of pairs within topics: discounted gains over a constant.

With W[s, i] the discount of pair i among the first ranks of system s, over the constant and the number of topics, g
the model's gains and y people's, the value of a system is sum W g + sum over topics of N_t / n_t times the sampled
pairs' sum of W (y - g): unbiased for any g that was fixed before sampling, since each pair of a topic was as likely.
Sources: Cochran, Sampling Techniques, 3rd ed. 1977, sections 5.3 and 7.2; Särndal, Swensson and Wretman, Model
Assisted Survey Sampling, 1992, section 6.3."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels
from evaluation.agreement.value import Value, undefined
from evaluation.engine import scoring
from evaluation.measures import gains, registry
from evaluation.measures.definition import CannotMeasure
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.inputs import Inputs, Pair

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Frame:
    """n pairs of t topics in the first ranks of s systems. `weights` (s, n) as above; `certain` (s) is what pairs that
    the reference graded add; `stratum` (n) numbers the topic of each pair, rising; `top` is the gain of the best grade,
    `constant` the discounted gain of a ranking that has it at all its ranks."""

    weights: Floats
    certain: Floats
    stratum: Places
    top: float
    constant: float

    @property
    def sizes(self) -> Places:
        """The pairs of each topic that has some."""
        return np.bincount(self.stratum)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Of s systems: `values` (s), their `covariance` (s, s) over samples, and by topic N_t squared times the variance
    of the corrections among its pairs, `spread` (s, t), of which the variance is a sum."""

    values: Floats
    covariance: Floats
    spread: Floats


@dataclass(frozen=True, eq=False)
class Sample:
    """Which pairs of a frame were judged, rising, and how many pairs of each topic: `frame` and `sample` (t)."""

    places: Places
    stratum: Places
    frame: Places
    sample: Places

    @property
    def raises(self) -> Floats:
        """How many pairs of its topic each sampled pair stands for."""
        return np.asarray((self.frame / np.maximum(self.sample, 1))[self.stratum])

    @property
    def factors(self) -> Floats:
        """By topic what turns the variance among its sampled pairs into that of the estimated sum, over N_t squared:
        1 / n_t - 1 / N_t, which is 0 where all were judged."""
        judged = np.maximum(self.sample, 1)
        return np.where(self.sample > 0, 1.0 / judged - 1.0 / np.maximum(self.frame, 1), 0.0)


def frame_of(inputs: Inputs, gain: str) -> Frame:
    """The frame of the inputs, pairs in the order of `inputs.frame`."""
    depth, topics = inputs.depth, max(len(inputs.strata), 1)
    worth = gains.gain_table(gain, inputs.highest)
    discount = 1.0 / np.log2(np.arange(2, depth + 2))
    constant = math.fsum(discount.tolist()) * float(worth[-1])
    if not constant:
        raise CannotMeasure(f"Under the gain {gain} no grade is worth anything.")
    places = {pair: place for place, pair in enumerate(inputs.frame)}
    weights = np.zeros((len(inputs.rankings.run_tags), len(places)))
    certain = np.zeros(len(weights))
    for system, topic, rank, passage_id in _ranked(inputs):
        pair, share = (topic, passage_id), discount[rank] / constant / topics
        if pair in places:
            weights[system, places[pair]] += share
        else:
            certain[system] += share * worth[max(inputs.known.get(topic, {}).get(passage_id, 0), 0)]
    sizes = [len(stratum.frame) for stratum in inputs.strata]
    return Frame(weights, certain, np.repeat(np.arange(len(sizes)), sizes), float(worth[-1]), constant)


def sample_of(frame: Frame, places: Places, topics: int) -> Sample:
    """The sample that has these pairs of the frame, of so many topics."""
    ordered = np.sort(places)
    stratum = frame.stratum[ordered]
    counted = (np.bincount(numbers, minlength=topics) for numbers in (frame.stratum, stratum))
    return Sample(ordered, stratum, *counted)


def estimate(frame: Frame, sample: Sample, model: Floats, people: Floats, taught: Floats | None = None) -> Estimates:
    """From the gains that the model gives all n pairs, and people the sampled ones, in the order of the sample.

    `taught`: gains of the sampled pairs that stand for the model's in the corrections, where these differ (a judge
    that was taught without the pair). A topic of which pairs are open needs two sampled pairs.
    """
    own = model[sample.places] if taught is None else taught
    corrections = frame.weights[:, sample.places] * (people - own)
    # Added up by pairs, so that where all are judged it is what people's grades alone give, to the last digit.
    corrected = model.copy()
    corrected[sample.places] += sample.raises * (people - own)
    centred, spread = _within(corrections, sample)
    scaled = centred * deviation_factors(sample)[sample.stratum]
    # einsum adds in one order, whatever the number of processors: the same bytes everywhere.
    covariance: Floats = np.einsum("ai,bi->ab", scaled, centred)
    return Estimates(model_only(frame, corrected), covariance, spread)


def model_only(frame: Frame, model: Floats) -> Floats:
    """The values (s) if the model's gains were the truth."""
    return np.asarray(frame.certain + (frame.weights * model).sum(axis=-1))


def differing(weights: Floats) -> Places:
    """How many of the pairs with these weights (s, n) each two systems have at different ranks; (s, s)."""
    return np.stack([(weights != row).sum(axis=1) for row in weights])


def gains_of(pairs: Sequence[Pair], grades: Qrels | Mapping[str, Mapping[str, int]], worth: Floats) -> Floats:
    """What the pairs gain by the grades; those without one, or with one below 0, nothing."""
    result = [max(grades.get(query_id, {}).get(passage_id, 0), 0) for query_id, passage_id in pairs]
    return np.asarray(worth[np.array(result, dtype=np.intp)], dtype=np.float64)


def _within(corrections: Floats, sample: Sample) -> tuple[Floats, Floats]:
    """The corrections less their topic's mean, and N_t squared times their variance by topic."""
    topics = len(sample.sample)
    means = np.stack([np.bincount(sample.stratum, row, topics) for row in corrections]) / np.maximum(sample.sample, 1)
    centred = corrections - means[:, sample.stratum]
    squares = np.stack([np.bincount(sample.stratum, row, topics) for row in centred**2])
    return centred, squares / np.maximum(sample.sample - 1, 1) * sample.frame.astype(np.float64) ** 2


def deviation_factors(sample: Sample) -> Floats:
    """By topic N_t^2 (1 / n_t - 1 / N_t) / (n_t - 1), which is what a squared deviation counts in the variance."""
    return sample.factors * sample.frame.astype(np.float64) ** 2 / np.maximum(sample.sample - 1, 1)


def _ranked(inputs: Inputs) -> list[tuple[int, str, int, str]]:
    """System, topic, rank from 0 and passage of all that stands in the first ranks."""
    rankings = inputs.rankings
    names, wanted = [*rankings.passage_ids], set(inputs.topics)
    return [
        (system, query_id, rank, names[number])
        for topic, query_id in enumerate(rankings.topics)
        if query_id in wanted
        for system, row in enumerate(rankings.at_ranks[:, topic, : inputs.depth].tolist())
        for rank, number in enumerate(row)
        if number < len(names)
    ]


@dataclass(frozen=True, eq=False)
class MissingBounds:
    """Of some weights (k): an estimate with half the top gain for each missing grade is off by `shift` (k) at most,
    its standard error by `error` (k) at most, whatever these grades are."""

    shift: Floats
    error: Floats


def bound_missing(frame: Frame, sample: Sample, weights: Floats, missing: Places) -> MissingBounds:
    """For the weights (k, sampled) of systems, or differences of them; `missing` are places in the sample.

    The standard error is a seminorm of the corrections, so that of a sum is at most the sum of both; and squared
    deviations from a mean are at most squares.
    """
    half = np.abs(weights[:, missing]) * (frame.top / 2)
    factor = deviation_factors(sample)[sample.stratum[missing]]
    return MissingBounds((half * sample.raises[missing]).sum(axis=-1), np.sqrt((half**2 * factor).sum(axis=-1)))


EXACT = "the interval has no width"


def more_pairs_to_halve(spread: Floats, frame: Places, sample: Places) -> Value:
    """The number of pairs beyond the sample, if each topic's share grows by the same factor up to all it has.

    `spread` (t): of each topic N_t squared times the variance of the corrections, as the sample tells it. Half the
    width is a quarter of the variance, sum of spread (1 / n_t - 1 / N_t).
    """
    is_open = sample < frame
    spread, frame, sample = spread[is_open], frame[is_open], sample[is_open]
    now = _variance(spread, frame, sample)
    if not now:
        return undefined(EXACT)
    low, high = 1.0, float((frame / sample).max())
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _variance(spread, frame, _grown(frame, sample, middle)) > now / 4:
            low = middle
        else:
            high = middle
    return Value(int((_grown(frame, sample, high) - sample).sum()))


def more_topics_to_halve(spread: float, topics: int, sampled: int) -> Value:
    """The number of topics beyond the sampled ones for half the standard error over these topics."""
    now = spread * (1 / sampled - 1 / topics)
    if not now:
        return undefined(EXACT)
    return Value(math.ceil(1 / (now / 4 / spread + 1 / topics) - 1e-9) - sampled)


def _variance(spread: Floats, frame: Places, sample: Places) -> float:
    return math.fsum((spread * (1.0 / sample - 1.0 / frame)).tolist())


def _grown(frame: Places, sample: Places, times: float) -> Places:
    return np.asarray(np.minimum(frame, np.ceil(sample * times - 1e-9).astype(np.intp)))


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
        return np.asarray(self.model.mean(axis=1) + self.corrections.mean(axis=1))

    @property
    def people_only(self) -> Floats:
        """The means over the sampled topics (s)."""
        return np.asarray(self.people[:, self.is_sampled].mean(axis=1))

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


def measure_of(gain: str) -> registry.Measure:
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
    return np.asarray(np.einsum("ai,bi->ab", centred, centred) / (values.shape[1] - 1))


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
