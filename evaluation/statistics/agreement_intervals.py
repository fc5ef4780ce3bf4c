"""Intervals of agreement: between two raters, of people among themselves, of alpha among any number of raters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import alpha as agreement_alpha
from evaluation.agreement import groups, pairing
from evaluation.agreement import kappa as agreement_kappa
from evaluation.agreement.alpha import Counts, Level
from evaluation.agreement.kappa import Tables
from evaluation.agreement.pairing import Grades, Pair
from evaluation.agreement.value import Floats, Value, as_json, list_values, undefined, unless_nan
from evaluation.statistics import bootstrap, rank_correlation
from evaluation.statistics.bootstrap import Interval, Resampling
from evaluation.statistics.rank_correlation import PairCounts


def alpha_interval(
    grades: Grades, topics: NDArray[np.int64], scale: range, level: Level = "ordinal", how: Resampling = bootstrap.USUAL
) -> Interval:
    """The interval of alpha of grades (raters, pairs), where `topics` has the number of each pair's topic.

    Drawn from are the topics, or the pairs, that have a pair which two raters graded. Pairs with the same
    grades, whoever gave them, are one pattern: over pairs the counts of patterns are multinomial.

    >>> grades = np.array([[0, 1, 2, 3, 0, 1], [0, 1, 2, 2, 1, 1]])
    >>> alpha_interval(grades, np.array([0, 0, 0, 1, 1, 1]), range(4)).n
    2
    """
    counts = agreement_alpha.grade_counts(grades, scale)
    is_pairable = counts.sum(axis=1) >= 2
    patterns, pattern = _patterns(counts[is_pairable], len(grades))
    matrices = agreement_alpha.coincidences_of_counts(patterns)
    if how.over == "pairs":
        copies = np.bincount(pattern, minlength=len(patterns))
        resampled = bootstrap.totals(matrices, how, copies)
        return bootstrap.percentiles(agreement_alpha.alphas(resampled, level), len(pattern), how)
    by_topic = _pattern_counts(topics[is_pairable], pattern, len(patterns))
    rows = np.tensordot(by_topic, matrices, axes=1)
    return bootstrap.percentiles(agreement_alpha.alphas(bootstrap.totals(rows, how), level), len(rows), how)


def _patterns(counts: Counts, raters: int) -> tuple[Counts, NDArray[np.int64]]:
    """The different rows of grade counts, and for each row which one it is."""
    code = np.zeros(len(counts), dtype=np.int64)
    for column in counts.T:
        # Numbered anew after each grade, the code stays below pairs * raters and never overflows.
        _, code = np.unique(code * (raters + 1) + column, return_inverse=True)
    _, where = np.unique(code, return_index=True)
    return counts[where], code


def _pattern_counts(topics: NDArray[np.int64], pattern: NDArray[np.int64], patterns: int) -> Counts:
    """How many pairs of each pattern each topic has: (topics that have any, patterns)."""
    present, topic = np.unique(topics, return_inverse=True)
    cells = np.bincount(topic * patterns + pattern, minlength=len(present) * patterns)
    return cells.reshape(len(present), patterns)


@dataclass(frozen=True)
class SeveralRaters:
    """Agreement on the `n` pairs that two of the `raters` or more graded; `alone` more were graded by one of them.

    `complete` of the n were graded by all. `alpha` has the keys nominal, ordinal and interval.
    """

    raters: int
    n: int
    alone: int
    complete: int
    alpha: dict[str, Value]


def compare_raters(given: Sequence[Mapping[Pair, int]], scale: range) -> SeveralRaters:
    """The agreement of all raters together; a pair that a rater did not grade is missing of him.

    >>> pair_a, pair_b = ("q", "a"), ("q", "b")
    >>> found = compare_raters([{pair_a: 0, pair_b: 1}, {pair_a: 0, pair_b: 1}, {pair_a: 0}], range(2))
    >>> found.n, found.complete, found.alpha["nominal"].value
    (2, 1, 1.0)
    """
    grades = pairing.side_by_side(given)[1]
    times = (grades >= 0).sum(axis=0)
    return SeveralRaters(
        raters=len(given),
        n=int((times >= 2).sum()),
        alone=int((times == 1).sum()),
        complete=int((times == len(given)).sum()) if len(given) > 1 else 0,
        alpha={level: agreement_alpha.alpha(grades, scale, level) for level in agreement_alpha.LEVELS},
    )


def alpha_intervals(
    given: Sequence[Mapping[Pair, int]], scale: range, how: Resampling = bootstrap.USUAL
) -> dict[str, Interval]:
    """The intervals of `SeveralRaters.alpha`, over the topics or the pairs that two raters or more graded."""
    pairs, grades = pairing.side_by_side(given)
    topics = _topics(pairs)[0]
    return {level: alpha_interval(grades, topics, scale, level, how) for level in agreement_alpha.LEVELS}


@dataclass(frozen=True)
class AgreementIntervals:
    """The intervals of what has the same name in `rater_agreement.RaterAgreement`."""

    kappa: dict[str, Interval]
    kappa_from: dict[int, Interval]
    alpha: dict[str, Interval]
    ac1: Interval
    tau_b: Interval
    tau_a: Interval
    gamma: Interval
    spearman: Interval
    share_equal: Interval
    mean_difference: Interval


def intervals_of_two(
    first: Mapping[Pair, int],
    second: Mapping[Pair, int],
    scale: range,
    relevant_from: int,
    how: Resampling = bootstrap.USUAL,
) -> AgreementIntervals:
    """The intervals over the topics, or the pairs, that both raters graded.

    All come from the same resamples, so they can be compared. Raises ValueError for a grade off the scale.
    """
    paired = pairing.pair(first, second)
    topic, topics = _topics(paired.pairs)
    tables = agreement_kappa.tables(paired.first, paired.second, topic, topics, scale)
    n = topics if how.over == "topics" else paired.n
    drawn = resample_tables(tables, how)
    return _intervals(drawn, agreement_alpha.coincidences_of_tables(drawn), n, scale, relevant_from, how)


def intervals_among_people(
    raters: Sequence[Mapping[Pair, int]], scale: range, relevant_from: int, how: Resampling = bootstrap.USUAL
) -> AgreementIntervals:
    """The intervals of `rater_agreement.among`, over the topics, or the pairs, that two raters or more graded.

    Pairs with the same grades are one pattern: over pairs the counts of patterns are multinomial. The mean
    difference has none, since the raters have no order. Raises ValueError for a grade off the scale.
    """
    result = pairing.list_couples(raters)
    pair = np.cumsum(result.is_new) - 1
    unit, n = _topics(result.pairs) if how.over == "topics" else (pair, result.n)
    plain = agreement_kappa.tables(result.first, result.second, unit, n, scale)
    weighted = agreement_kappa.weighted_tables(result.first, result.second, unit, n, scale, result.weight)
    rows, copies = np.stack([plain, weighted], axis=1), None
    if how.over == "pairs":
        rows, copies = np.unique(rows, axis=0, return_counts=True)
    drawn = bootstrap.totals(rows, how, copies)
    tables = drawn[:, 0].round().astype(np.int64)
    intervals = _intervals(tables, agreement_alpha.coincidences_of_tables(drawn[:, 1]), n, scale, relevant_from, how)
    return replace(intervals, mean_difference=Interval(None, None, n, 0, how, groups.NO_ORDER))


def _intervals(
    drawn: Tables, matrices: NDArray[Any], n: int, scale: range, relevant_from: int, how: Resampling
) -> AgreementIntervals:
    """Of resampled confusion tables and the coincidence matrices that belong to them."""

    def interval(values: Floats) -> Interval:
        return bootstrap.percentiles(values, n, how)

    kappas_from = {
        grade: interval(agreement_kappa.kappas(agreement_kappa.binarised(drawn, scale, grade))) for grade in scale[1:]
    }
    counts = [rank_correlation.count_table(table) for table in drawn]
    return AgreementIntervals(
        kappa={weights: interval(agreement_kappa.kappas(drawn, weights)) for weights in agreement_kappa.WEIGHTS}
        | {"binary": kappas_from[relevant_from]},
        kappa_from=kappas_from,
        alpha={level: interval(agreement_alpha.alphas(matrices, level)) for level in agreement_alpha.LEVELS},
        ac1=interval(agreement_kappa.ac1s(drawn)),
        tau_b=interval(_values(rank_correlation.tau_b, counts)),
        tau_a=interval(_values(rank_correlation.tau_a, counts)),
        gamma=interval(_values(rank_correlation.gamma, counts)),
        spearman=interval(rank_correlation.spearman_of_tables(drawn)),
        share_equal=interval(agreement_kappa.shares_equal(drawn)),
        mean_difference=interval(agreement_kappa.mean_differences(drawn)),
    )


def resample_tables(tables: Tables, how: Resampling) -> Tables:
    """Confusion tables (resamples, grades, grades) drawn from those of the topics (topics, grades, grades)."""
    if how.over == "topics":
        return bootstrap.totals(tables, how).astype(np.int64)
    cells = tables.sum(axis=0)
    return bootstrap.draws(cells.ravel(), how).reshape(how.resamples, *cells.shape)


def _topics(pairs: Sequence[Pair]) -> tuple[NDArray[np.int64], int]:
    """The number of each pair's topic, and how many topics there are."""
    topics, topic = np.unique([query_id for query_id, _ in pairs], return_inverse=True)
    return topic.astype(np.int64), len(topics)


def _values(figure: Callable[[PairCounts], Value], counts: list[PairCounts]) -> Floats:
    result = (figure(each).value for each in counts)
    return np.array([np.nan if number is None else number for number in result])


Groups = NDArray[np.int64]


class CoupleAgreementJson(TypedDict):
    n: int
    kappa: float | None
    alpha: float | None
    share_equal: float | None
    mean_difference: float | None
    reason: NotRequired[dict[str, str]]


@dataclass(frozen=True)
class CoupleAgreement:
    """Of `n` grades of the first column: Cohen's kappa (unweighted), Krippendorff's alpha (ordinal), the share of equal
    grades, and the mean of the second less the first."""

    n: int
    kappa: Value
    alpha: Value
    share_equal: Value
    mean_difference: Value

    def as_json(self) -> CoupleAgreementJson:
        return cast(CoupleAgreementJson, {"n": self.n, **as_json(list_values(self))})


@dataclass(frozen=True)
class Couples:
    """Two columns of grades, (couples,), and how much each couple counts."""

    first: Grades
    second: Grades
    weight: Floats

    def at(self, chosen: NDArray[Any]) -> "Couples":
        return Couples(self.first[chosen], self.second[chosen], self.weight[chosen])


def by_group(given: Couples, group: Groups, groups: int, scale: range) -> list[CoupleAgreement]:
    """The figures of each group; `group` has the number of each couple's. Raises ValueError for a grade off the scale.

    >>> couples = Couples(np.array([0, 1, 2]), np.array([0, 1, 1]), np.ones(3))
    >>> [found.n for found in by_group(couples, np.array([0, 0, 2]), 3, range(4))]
    [2, 0, 1]
    """
    tables = agreement_kappa.weighted_tables(given.first, given.second, group, groups, scale, given.weight)
    columns = [figure.tolist() for figure in _figures(tables)]
    counts = tables.sum(axis=(-2, -1)).round().astype(np.int64).tolist()
    return [_make_agreement(n, *figures) for n, *figures in zip(counts, *columns, strict=True)]


def intervals(
    given: Couples, topic: Groups, scale: range, how: Resampling = bootstrap.USUAL
) -> tuple[Interval, Interval, Interval]:
    """Of kappa, alpha and the mean difference, over the topics that have a couple; `topic` numbers each couple's."""
    topics, place = np.unique(topic, return_inverse=True)
    n = len(topics)
    rows = agreement_kappa.weighted_tables(given.first, given.second, place, n, scale, given.weight)
    kappas, alphas, _, differences = (
        bootstrap.percentiles(values, n, how) for values in _figures(bootstrap.totals(rows, how))
    )
    return kappas, alphas, differences


def _figures(tables: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """NaN where undefined."""
    return (
        agreement_kappa.kappas(tables),
        agreement_alpha.alphas(agreement_alpha.coincidences_of_tables(tables)),
        agreement_kappa.shares_equal(tables),
        agreement_kappa.mean_differences(tables),
    )


def _make_agreement(n: int, of_kappa: float, of_alpha: float, equal: float, difference: float) -> CoupleAgreement:
    if not n:
        nothing = undefined(agreement_kappa.NO_PAIR)
        return CoupleAgreement(0, nothing, nothing, nothing, nothing)
    return CoupleAgreement(
        n,
        unless_nan(of_kappa, agreement_kappa.ONE_GRADE_KAPPA),
        unless_nan(of_alpha, agreement_alpha.ONE_GRADE),
        unless_nan(equal, agreement_kappa.NO_PAIR),
        unless_nan(difference, agreement_kappa.NO_PAIR),
    )
