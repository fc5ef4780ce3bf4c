"""Rater agreement: all that is said of how far two raters agree on the pairs that both graded."""

from dataclasses import dataclass

import numpy as np

from annotate.trec.records import Qrels
from annotate.trec.scale import GradeScale
from evaluation.agreement import ac1, alpha, confusion, kappa, pairing, percent, value
from evaluation.agreement.confusion import Table
from evaluation.agreement.value import Value
from evaluation.statistics import pair_counts, rank_correlation


@dataclass(frozen=True, eq=False)
class RaterAgreement:
    """Agreement of two raters on `n` pairs; `only_first` and `only_second` more were graded by one alone.

    `kappa` has the keys unweighted, linear, quadratic and binary (relevant from grade `relevant_from` on);
    `kappa_from` has the binary one for each grade from which a pair can count as relevant. `alpha` has the
    keys nominal, ordinal and interval. `confusion` has the first rater's grades as rows. `gamma_recipe` is
    gamma, or 0.0 where one rater gives one grade only.
    """

    n: int
    only_first: int
    only_second: int
    relevant_from: int
    kappa: dict[str, Value]
    kappa_from: dict[int, Value]
    alpha: dict[str, Value]
    ac1: Value
    tau_b: Value
    gamma: Value
    gamma_recipe: Value
    share_equal: Value
    mean_difference: Value
    confusion: Table


def relevant_from(scale: GradeScale) -> int:
    """The grade from which a pair is relevant in the binary split: the upper half of the scale, 2 on 0-3.

    >>> relevant_from(GradeScale(0, 3)), relevant_from(GradeScale(0, 2)), relevant_from(GradeScale(0, 1))
    (2, 2, 1)
    """
    return (scale.low + scale.high) // 2 + 1


def compare(first: Qrels, second: Qrels, scale: GradeScale, *, threshold: int | None = None) -> RaterAgreement:
    """The agreement of two raters. `threshold` splits the scale in two, by default as `relevant_from` says.

    Negative grades are no grades. Raises ValueError for a grade above the scale, and for a threshold that
    does not split it.
    """
    split_at = relevant_from(scale) if threshold is None else threshold
    if not scale.low < split_at <= scale.high:
        raise ValueError(f"grade {split_at} does not split the scale {scale} in two")
    paired = pairing.pair(pairing.grades_by_pair(first), pairing.grades_by_pair(second))
    table = confusion.table(paired.first, paired.second, scale.grades)
    grades = np.stack([paired.first, paired.second])
    counts = pair_counts.of_table(table)
    kappa_from = {grade: kappa.kappa(confusion.binarised(table, scale.grades, grade)) for grade in scale.grades[1:]}
    return RaterAgreement(
        n=paired.n,
        only_first=paired.only_first,
        only_second=paired.only_second,
        relevant_from=split_at,
        kappa={weights: kappa.kappa(table, weights) for weights in kappa.WEIGHTS} | {"binary": kappa_from[split_at]},
        kappa_from=kappa_from,
        alpha={level: alpha.alpha(grades, scale.grades, level) for level in alpha.LEVELS},
        ac1=ac1.ac1(table),
        tau_b=rank_correlation.tau_b(counts),
        gamma=rank_correlation.gamma(counts),
        gamma_recipe=rank_correlation.recipe_gamma(counts),
        share_equal=percent.share_equal(table),
        mean_difference=percent.mean_difference(table),
        confusion=table,
    )


def as_json(found: RaterAgreement) -> dict[str, object]:
    """All of it by name; what is undefined is None, and its reason stands under `reason` beside it."""
    single = {
        "ac1": found.ac1,
        "tau_b": found.tau_b,
        "gamma": found.gamma,
        "gamma_recipe": found.gamma_recipe,
        "share_equal": found.share_equal,
        "mean_difference": found.mean_difference,
    }
    return {
        "n": found.n,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "relevant_from": found.relevant_from,
        "kappa": value.as_json(found.kappa),
        "kappa_from": value.as_json({str(grade): kappa for grade, kappa in found.kappa_from.items()}),
        "alpha": value.as_json(found.alpha),
        **value.as_json(single),
        "confusion": found.confusion.tolist(),
    }
