"""Intervals of all figures of agreement between two raters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.agreement import ac1, alpha, coincidences, confusion, kappa, pairing, percent
from evaluation.agreement.confusion import Tables
from evaluation.agreement.pairing import Pair, Paired
from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import Value
from evaluation.statistics import bootstrap, pair_counts, rank_correlation
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
    gamma: Interval
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
    tables = _tables_by_topic(pairing.pair(first, second), scale)
    n = len(tables) if how.over == "topics" else int(tables.sum())
    drawn = resampled(tables, how)

    def interval(values: Floats) -> Interval:
        return bootstrap.percentiles(values, n, how)

    kappas_from = {grade: interval(kappa.kappas(confusion.binarised(drawn, scale, grade))) for grade in scale[1:]}
    counts = [pair_counts.of_table(table) for table in drawn]
    return AgreementIntervals(
        kappa={weights: interval(kappa.kappas(drawn, weights)) for weights in kappa.WEIGHTS}
        | {"binary": kappas_from[relevant_from]},
        kappa_from=kappas_from,
        alpha={level: interval(alpha.alphas(coincidences.of_tables(drawn), level)) for level in alpha.LEVELS},
        ac1=interval(ac1.ac1s(drawn)),
        tau_b=interval(_values(rank_correlation.tau_b, counts)),
        gamma=interval(_values(rank_correlation.gamma, counts)),
        share_equal=interval(percent.shares_equal(drawn)),
        mean_difference=interval(percent.mean_differences(drawn)),
    )


def resampled(tables: Tables, how: Resampling) -> Tables:
    """Confusion tables (resamples, grades, grades) drawn from those of the topics (topics, grades, grades)."""
    if how.over == "topics":
        return bootstrap.totals(tables, how).astype(np.int64)
    cells = tables.sum(axis=0)
    return bootstrap.draws(cells.ravel(), how).reshape(how.resamples, *cells.shape)


def _tables_by_topic(paired: Paired, scale: range) -> Tables:
    topics, topic = np.unique([query_id for query_id, _ in paired.pairs], return_inverse=True)
    return confusion.tables(paired.first, paired.second, topic, len(topics), scale)


def _values(figure: Callable[[PairCounts], Value], counts: list[PairCounts]) -> Floats:
    found = (figure(each).value for each in counts)
    return np.array([np.nan if number is None else number for number in found])
