"""All pairs of systems: which differ by more than the topics make likely, and which of these survive other qrels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.agreement.value import Floats, Value, share, unless_nan
from evaluation.statistics import anova, bootstrap, rank_correlation, significance
from evaluation.statistics.bootstrap import Interval, Resampling

# Sums of the same topics in another order differ in the last bits; that makes no difference between systems.
_DECIMALS = 12


def checked_scores(scores: ArrayLike, systems: Sequence[str]) -> Floats:
    """The matrix as numbers. Raises ValueError unless there is a finite row of scores for each system."""
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or len(matrix) != len(systems):
        raise ValueError(f"scores of the shape {matrix.shape} are no row of topics for each of {len(systems)} systems")
    if not np.isfinite(matrix).all():
        raise ValueError("a score is not a finite number")
    return matrix


def rounded(numbers: Floats) -> Floats:
    """The numbers without what rounding leaves in them, so that equal means tie and equal scores do not differ."""
    return np.round(numbers, _DECIMALS)


def means(matrix: Floats) -> Floats:
    """The mean of each system over the topics; 0 without a topic, where nothing that follows is defined."""
    result: Floats = matrix.sum(axis=1) / max(1, matrix.shape[1])
    return result


def mean_intervals(scores: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL) -> list[Interval]:
    """The interval of each system's mean of scores (systems, topics). Raises ValueError as `checked_scores`.

    >>> [found] = mean_intervals([[0.0, 1.0, 1.0, 0.0]], ["bm25"])
    >>> (found.low, found.high, found.n)
    (0.0, 1.0, 4)
    """
    matrix = checked_scores(scores, systems)
    return bootstrap.percentiles_of_columns(_resampled_means(matrix, how), matrix.shape[1], how)


def correlation_intervals(
    reference: ArrayLike, other: ArrayLike, systems: Sequence[str], how: Resampling = bootstrap.USUAL
) -> dict[str, Interval]:
    """The intervals of `tau_b`, `tau_ap`, `tau_a`, `gamma` and `spearman` between the rankings by the means of two
    score matrices, by the delete-d jackknife (`bootstrap.jackknife`): none leaves out its correlation.

    Both have the shape (systems, topics), with the same topics in the same order: each subset leaves the same topics
    out on both sides. Raises ValueError as `checked_scores`, and for different numbers of topics.
    """
    first, second = checked_scores(reference, systems), checked_scores(other, systems)
    if first.shape != second.shape:
        raise ValueError(f"{first.shape[1]} topics cannot be compared with {second.shape[1]}")
    _check_topics(how)
    topics = first.shape[1]
    # The first row is that of all topics: the correlations themselves.
    kept = np.vstack([np.ones((1, topics), np.int64), bootstrap.subsets(topics, how)]).astype(np.float64)
    a, b = (rounded(kept @ matrix.T / np.maximum(1, kept.sum(axis=1, keepdims=True))) for matrix in (first, second))
    result = {
        "tau_b": rank_correlation.tau_bs(a, b),
        "tau_ap": rank_correlation.tau_aps(a, b, systems),
        "tau_a": rank_correlation.tau_as(a, b),
        "gamma": rank_correlation.gammas(a, b),
        "spearman": rank_correlation.spearmans(a, b),
    }
    return {
        name: bootstrap.jackknife(float(values[0]), values[1:], topics, how, (-1.0, 1.0))
        for name, values in result.items()
    }


def _check_topics(how: Resampling) -> None:
    if how.over != "topics":
        raise ValueError("what is drawn anew between systems are topics")


def _resampled_means(matrix: Floats, how: Resampling) -> Floats:
    """The mean of each system in each resample of the topics: (resamples, systems). Of the seed alone."""
    _check_topics(how)
    return rounded(bootstrap.totals(matrix.T, how) / max(1, matrix.shape[1]))


SAME_DIFFERENCE = "the difference is the same on all topics"
ALL_EXPLAINED = "topics and systems explain every score"
LEVEL = 0.05


@dataclass(frozen=True)
class SystemPair:
    """Two systems; `difference` is the mean of the first less that of the second.

    `p` is corrected for the number of pairs; `is_significant` says that it is below the level (never of an
    undefined one).
    """

    first: str
    second: str
    difference: float
    p: Value
    is_significant: bool


def by_tukey(scores: ArrayLike, systems: Sequence[str], level: float = LEVEL) -> tuple[SystemPair, ...]:
    """Tukey's honestly significant difference after the two-way analysis of variance of system and topic.

    Scores have the shape (systems, topics). Undefined with one topic, and if topic and system explain every
    score. Raises ValueError as `checked_scores`. Source: Tukey, The problem of multiple comparisons,
    1953; Carterette, TOIS 30(1), 2012.

    >>> [found] = by_tukey([[0.2, 0.4, 0.7], [0.3, 0.6, 0.7]], ["bm25", "dense"])
    >>> round(found.difference, 2), round(found.p.number, 3)
    (-0.1, 0.225)
    """
    matrix = checked_scores(scores, systems)
    return _pairs(matrix, systems, _tukey(matrix), ALL_EXPLAINED, level)


def by_t_test(scores: ArrayLike, systems: Sequence[str], level: float = LEVEL) -> tuple[SystemPair, ...]:
    """Paired t-tests over the topics with Holm's correction. Raises ValueError as `checked_scores`."""
    matrix = checked_scores(scores, systems)
    p = significance.adjust_by_holm(significance.paired_t_p_values(_differences(matrix)))
    return _pairs(matrix, systems, p, SAME_DIFFERENCE, level)


def by_randomisation(
    scores: ArrayLike, systems: Sequence[str], level: float = LEVEL, *, flips: int = 100_000, seed: int = 0
) -> tuple[SystemPair, ...]:
    """Paired randomisation tests over the topics with Holm's correction; raises as `checked_scores`.

    With random flips no p is below 1 / (flips + 1) before the correction: many pairs need many flips.
    """
    matrix = checked_scores(scores, systems)
    p = significance.adjust_by_holm(significance.randomisation_p_values(_differences(matrix), flips=flips, seed=seed))
    return _pairs(matrix, systems, p, "", level)  # with two topics there always is one


def _differences(matrix: Floats) -> Floats:
    """Of all pairs of systems: (topics, pairs)."""
    left, right = np.triu_indices(len(matrix), 1)
    return (matrix[left] - matrix[right]).T


def _mean_differences(matrix: Floats) -> Floats:
    """Of all pairs of systems: (pairs,)."""
    result: Floats = _differences(means(matrix)[:, np.newaxis])[0]
    return result


def _pairs(
    matrix: Floats, systems: Sequence[str], p_values: Floats, reason: str, level: float
) -> tuple[SystemPair, ...]:
    if matrix.shape[1] < 2:
        reason = "there is one topic, and a test needs two" if matrix.shape[1] else "there is no topic"
    differences = rounded(_mean_differences(matrix))
    result = zip(combinations(systems, 2), differences.tolist(), p_values.tolist(), strict=True)
    return tuple(
        SystemPair(first, second, difference, unless_nan(p, reason), p < level)
        for (first, second), difference, p in result
    )


def _tukey(matrix: Floats) -> Floats:
    systems, topics = matrix.shape
    differences = np.abs(_mean_differences(matrix))
    nothing = np.full(len(differences), np.nan)
    if topics < 2 or systems < 2:
        return nothing
    result = anova.two_way(matrix)
    if not result.residual_sum_of_squares:
        return nothing
    error = np.sqrt(result.residual_mean_square.number / topics)
    return significance.studentized_range_tail(differences / error, systems, result.residual_df)


Class = Literal["AA", "AD", "MA", "MD", "PA", "PD"]
CLASSES: tuple[Class, ...] = ("AA", "AD", "MA", "MD", "PA", "PD")


@dataclass(frozen=True, eq=False)
class PairChanges:
    """The pairs (first system, second system) of each class, in the order given.

    Active, mixed, passive: both sides find the pair significant, one does, none does. Agreement or
    disagreement: the same system is ahead, or the other one; a tie contradicts nothing and agrees. `lost`
    are significant on the reference side alone, `found` on the other alone.
    """

    pairs: dict[Class, tuple[tuple[str, str], ...]]
    lost: tuple[tuple[str, str], ...]
    found: tuple[tuple[str, str], ...]

    @property
    def n(self) -> int:
        return sum(map(len, self.pairs.values()))

    def share(self, name: Class) -> Value:
        """The share of a class in all pairs; undefined without pairs."""
        return share(len(self.pairs[name]), self.n, "fewer than two systems")


def compare_pairs(reference: Sequence[SystemPair], other: Sequence[SystemPair]) -> PairChanges:
    """The classes of the same pairs on two sides. Raises ValueError if they are not the same pairs, in order.

    Source of the classes: arXiv:2508.17644.

    >>> one = SystemPair("bm25", "dense", -0.1, Value(0.01), True)
    >>> two = SystemPair("bm25", "dense", 0.02, Value(0.6), False)
    >>> compare_pairs([one], [two]).pairs["MD"], compare_pairs([one], [two]).lost
    ((('bm25', 'dense'),), (('bm25', 'dense'),))
    """
    names = [(pair.first, pair.second) for pair in reference]
    if names != [(pair.first, pair.second) for pair in other]:
        raise ValueError("the two sides do not hold the same pairs of systems")
    sides = list(zip(names, reference, other, strict=True))
    classes = [(class_of_pair(a, b), name) for name, a, b in sides]
    return PairChanges(
        pairs={wanted: tuple(name for result, name in classes if result == wanted) for wanted in CLASSES},
        lost=tuple(name for name, a, b in sides if a.is_significant and not b.is_significant),
        found=tuple(name for name, a, b in sides if b.is_significant and not a.is_significant),
    )


def class_of_pair(reference: SystemPair, other: SystemPair) -> Class:
    """The class of one pair of systems."""
    is_opposite = reference.difference * other.difference < 0
    match reference.is_significant + other.is_significant:
        case 2:
            return "AD" if is_opposite else "AA"
        case 1:
            return "MD" if is_opposite else "MA"
    return "PD" if is_opposite else "PA"
