"""Intervals of all figures of agreement between two raters, and of people among themselves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import ac1, alpha, coincidences, confusion, couples, groups, kappa, pairing, percent
from evaluation.agreement.confusion import Tables
from evaluation.agreement.pairing import Pair
from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import Value
from evaluation.statistics import bootstrap, pair_counts, rank_correlation, spearman
from evaluation.statistics.bootstrap import Interval, Resampling
from evaluation.statistics.pair_counts import PairCounts


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


def of_two(
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
    tables = confusion.tables(paired.first, paired.second, topic, topics, scale)
    n = topics if how.over == "topics" else paired.n
    drawn = resampled(tables, how)
    return _intervals(drawn, coincidences.of_tables(drawn), n, scale, relevant_from, how)


def among(
    raters: Sequence[Mapping[Pair, int]], scale: range, relevant_from: int, how: Resampling = bootstrap.USUAL
) -> AgreementIntervals:
    """The intervals of `rater_agreement.among`, over the topics, or the pairs, that two raters or more graded.

    Pairs with the same grades are one pattern: over pairs the counts of patterns are multinomial. The mean
    difference has none, since the raters have no order. Raises ValueError for a grade off the scale.
    """
    found = couples.of(raters)
    pair = np.cumsum(found.is_new) - 1
    unit, n = _topics(found.pairs) if how.over == "topics" else (pair, found.n)
    plain = confusion.tables(found.first, found.second, unit, n, scale)
    weighted = confusion.weighted_tables(found.first, found.second, unit, n, scale, found.weight)
    rows, copies = np.stack([plain, weighted], axis=1), None
    if how.over == "pairs":
        rows, copies = np.unique(rows, axis=0, return_counts=True)
    drawn = bootstrap.totals(rows, how, copies)
    tables = drawn[:, 0].round().astype(np.int64)
    intervals = _intervals(tables, coincidences.of_tables(drawn[:, 1]), n, scale, relevant_from, how)
    return replace(intervals, mean_difference=Interval(None, None, n, 0, how, groups.NO_ORDER))


def _intervals(
    drawn: Tables, matrices: NDArray[Any], n: int, scale: range, relevant_from: int, how: Resampling
) -> AgreementIntervals:
    """Of resampled confusion tables and the coincidence matrices that belong to them."""

    def interval(values: Floats) -> Interval:
        return bootstrap.percentiles(values, n, how)

    kappas_from = {grade: interval(kappa.kappas(confusion.binarised(drawn, scale, grade))) for grade in scale[1:]}
    counts = [pair_counts.of_table(table) for table in drawn]
    return AgreementIntervals(
        kappa={weights: interval(kappa.kappas(drawn, weights)) for weights in kappa.WEIGHTS}
        | {"binary": kappas_from[relevant_from]},
        kappa_from=kappas_from,
        alpha={level: interval(alpha.alphas(matrices, level)) for level in alpha.LEVELS},
        ac1=interval(ac1.ac1s(drawn)),
        tau_b=interval(_values(rank_correlation.tau_b, counts)),
        tau_a=interval(_values(rank_correlation.tau_a, counts)),
        gamma=interval(_values(rank_correlation.gamma, counts)),
        spearman=interval(spearman.of_tables(drawn)),
        share_equal=interval(percent.shares_equal(drawn)),
        mean_difference=interval(percent.mean_differences(drawn)),
    )


def resampled(tables: Tables, how: Resampling) -> Tables:
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
    found = (figure(each).value for each in counts)
    return np.array([np.nan if number is None else number for number in found])
