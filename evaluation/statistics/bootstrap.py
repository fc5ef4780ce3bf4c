"""How far a figure moves when other topics, or other pairs, had been drawn: bootstrap and delete-d jackknife."""

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.value import Floats, Value, undefined

NEVER_DEFINED = "the figure is undefined in every resample"
METHOD = "percentile bootstrap"
JACKKNIFE = "delete-d jackknife"
# Of the topics one in so many is left out at a time; `benchmarks.correlation_intervals` has what others cover.
_LEFT_OUT = 7
Over = Literal["topics", "pairs"]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Resampling:
    """What is drawn anew with replacement, how often, from which seed, and how much the interval covers.

    Topics are the default: grades of one topic lean the same way, so an interval over single pairs is too
    narrow for what another set of topics would give.
    """

    over: Over = "topics"
    resamples: int = 1000
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 1 or not 0 < self.level < 1:
            raise ValueError("an interval needs a resample or more, and a level between 0 and 1")


USUAL = Resampling()


class IntervalJson(TypedDict):
    """All that an `Interval` says of itself."""

    low: float | None
    high: float | None
    level: float
    over: Over
    n: int
    resamples: int
    left_out: int
    seed: int
    method: NotRequired[str]
    reason: NotRequired[str]


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, or None and None with the reason.

    `n` topics or pairs were drawn from; `left_out` of the resamples had no value and are not in it.
    """

    low: float | None
    high: float | None
    n: int
    left_out: int
    resampling: Resampling
    reason: str = ""
    method: str = METHOD

    @property
    def is_defined(self) -> bool:
        return self.low is not None

    @property
    def ends(self) -> dict[str, Value]:
        """`low` and `high`, undefined with the reason."""
        ends = {"low": self.low, "high": self.high}
        return {name: undefined(self.reason) if end is None else Value(end) for name, end in ends.items()}

    def as_json(self) -> IntervalJson:
        """`reason` only where it is undefined, `method` where it is no percentile bootstrap."""
        how = self.resampling
        result = IntervalJson(
            low=self.low,
            high=self.high,
            level=how.level,
            over=how.over,
            n=self.n,
            resamples=how.resamples,
            left_out=self.left_out,
            seed=how.seed,
        )
        if self.method != METHOD:
            result["method"] = self.method
        if self.reason:
            result["reason"] = self.reason
        return result


def describe_interval(result: IntervalJson) -> str:
    """How an interval was computed.

    >>> describe_interval(Interval(0.25, 0.75, 43, 2, USUAL).as_json())
    '95 % over 43 topics, percentile bootstrap, 1000 resamples (2 without a value left out), seed 0'
    """
    left_out = f" ({result['left_out']} without a value left out)" if result["left_out"] else ""
    what = f"{100 * result['level']:g} % over {result['n']} {result['over']}"
    method = result.get("method", METHOD)
    return f"{what}, {method}, {result['resamples']} resamples{left_out}, seed {result['seed']}"


def draws(copies: Counts, how: Resampling) -> Counts:
    """How often each kind of thing is drawn, (resamples, kinds), where there are `copies` of each kind.

    As many things are drawn as there are. Drawing things and counting kinds is drawing multinomial counts:
    the same law, and fast where few kinds have many copies.

    >>> draws(np.array([2, 1]), Resampling(resamples=3)).sum(axis=1).tolist()
    [3, 3, 3]
    """
    n = int(copies.sum())
    if not n:
        return np.zeros((how.resamples, len(copies)), dtype=np.int64)
    return np.random.default_rng(how.seed).multinomial(n, copies / n, size=how.resamples)


def totals(rows: NDArray[Any], how: Resampling, copies: Counts | None = None) -> Floats:
    """The sums of the rows drawn: (kinds, ...) gives (resamples, ...). Of each row there is one, or `copies`."""
    drawn = draws(np.ones(len(rows), dtype=np.int64) if copies is None else copies, how)
    return np.tensordot(drawn.astype(np.float64), rows.astype(np.float64), axes=1)


def percentiles(values: Floats, n: int, how: Resampling) -> Interval:
    """The interval that the middle `level` of the resampled values spans; NaN is a resample without a value.

    Undefined if fewer than two things were drawn from, or no resample has a value. Source: Efron and
    Tibshirani, An introduction to the bootstrap, 1993, chapter 13.

    >>> found = percentiles(np.arange(101.0), 30, Resampling(level=0.9))
    >>> round(found.low, 6), round(found.high, 6)
    (5.0, 95.0)
    """
    if n < 2:
        return Interval(None, None, n, 0, how, f"an interval over {how.over} needs two of them or more")
    defined = values[~np.isnan(values)]
    left_out = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, n, left_out, how, NEVER_DEFINED)
    low, high = np.quantile(defined, [(1 - how.level) / 2, (1 + how.level) / 2]).tolist()
    return Interval(low, high, n, left_out, how)


def percentiles_of_columns(values: Floats, n: int, how: Resampling) -> list[Interval]:
    """The `percentiles` of each column of values without NaN, (resamples, columns): many in the time of few."""
    if n < 2 or not len(values):
        return [percentiles(column, n, how) for column in values.T]
    ends = np.quantile(values, [(1 - how.level) / 2, (1 + how.level) / 2], axis=0)
    return [Interval(low, high, n, 0, how) for low, high in ends.T.tolist()]


def subsets(n: int, how: Resampling) -> Counts:
    """Which of n things are kept, (subsets, n) of 0 and 1: one in seven is left out at a time, one at least. Where that
    is one, each is left out once; else `how.resamples` subsets are drawn.

    >>> subsets(3, Resampling()).tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    left_out = max(1, n // _LEFT_OUT)
    if left_out == 1:
        return 1 - np.eye(n, dtype=np.int64)
    kept = np.repeat([[0] * left_out + [1] * (n - left_out)], how.resamples, axis=0)
    return np.random.default_rng(how.seed).permuted(kept, axis=1)


def jackknife(estimate: float, values: Floats, n: int, how: Resampling, ends: tuple[float, float]) -> Interval:
    """The interval around an estimate from what the `subsets` of n things give, cut to where the figure can lie.

    For figures that topics drawn twice pull to one side, as they do rank correlations: the middle of resampled values
    would leave out the estimate. The spread of values without d of n things, times (n - d) / d, is the variance; the
    interval is the estimate less and plus that of Student's t with n - 1 degrees of freedom. With d = 1 a figure that
    jumps, such as tau, gets intervals that are much too wide. Source: Shao and Wu, A general theory for jackknife
    variance estimation, Annals of Statistics 17(3), 1989.
    """
    if n < 2:
        reason = f"an interval over {how.over} needs two of them or more"
        return Interval(None, None, n, 0, how, reason, JACKKNIFE)
    defined = values[~np.isnan(values)]
    missing = len(values) - len(defined)
    if np.isnan(estimate) or not len(defined):
        return Interval(None, None, n, missing, how, NEVER_DEFINED, JACKKNIFE)
    from scipy import special  # half a second to import

    left_out = max(1, n // _LEFT_OUT)
    error = float(np.sqrt((n - left_out) / left_out * defined.var()))
    reach = float(special.stdtrit(n - 1, (1 + how.level) / 2)) * error
    lowest, highest = ends
    return Interval(max(lowest, estimate - reach), min(highest, estimate + reach), n, missing, how, method=JACKKNIFE)
