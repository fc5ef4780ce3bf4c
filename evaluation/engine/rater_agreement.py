"""Rater agreement: all that is said of how far two raters, or several among themselves, agree on common pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotate.formats.records import GradeScale, Qrels
from evaluation.agreement import alpha, groups, pairing, value
from evaluation.agreement import kappa as agreement_kappa
from evaluation.agreement.kappa import Table
from evaluation.agreement.pairing import Grades, Pair
from evaluation.agreement.value import Value, undefined
from evaluation.statistics import rank_correlation


@dataclass(frozen=True, eq=False)
class RaterAgreement:
    """Agreement of two raters on `n` pairs; `only_first` and `only_second` more were graded by one alone.

    `kappa` has the keys unweighted, linear, quadratic and binary (relevant from grade `relevant_from` on);
    `kappa_from` has the binary one for each grade from which a pair can count as relevant. `alpha` has the
    keys nominal, ordinal and interval. `confusion` has the first rater's grades as rows. `tau_b`, `tau_a`,
    `gamma` and `spearman` correlate the two vectors of grades. `gamma_recipe` is gamma, or 0.0 where one rater
    gives one grade only.
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
    tau_a: Value
    gamma: Value
    gamma_recipe: Value
    spearman: Value
    share_equal: Value
    mean_difference: Value
    confusion: Table


def compare(first: Qrels, second: Qrels, scale: GradeScale, *, threshold: int | None = None) -> RaterAgreement:
    """The agreement of two raters, whose negative grades are no grades."""
    return compare_pairs(pairing.grades_by_pair(first), pairing.grades_by_pair(second), scale, threshold=threshold)


def compare_pairs(
    first: Mapping[Pair, int], second: Mapping[Pair, int], scale: GradeScale, *, threshold: int | None = None
) -> RaterAgreement:
    """The same by pair. `threshold` splits the scale in two, by default as `GradeScale.relevant_from` says.

    Raises ValueError for a grade off the scale, and for a threshold that does not split it.
    """
    paired = pairing.pair(first, second)
    table = agreement_kappa.table(paired.first, paired.second, scale.grades)
    grades = np.stack([paired.first, paired.second])
    found = _compute_agreement(table, grades, scale, scale.relevant_from if threshold is None else threshold)
    return replace(found, only_first=paired.only_first, only_second=paired.only_second)


def among(raters: Sequence[Mapping[Pair, int]], scale: GradeScale) -> RaterAgreement:
    """The agreement of several raters among themselves on the `n` pairs that two or more graded.

    Alpha is Krippendorff's of all of them. The other figures are those of every two grades of one pair taken
    together (`pairing.list_couples`), whose table `confusion` is: of two raters they are those of `compare`. The mean
    difference is undefined; `only_first` pairs were graded by one alone.
    """
    found = pairing.list_couples(raters)
    table = agreement_kappa.table(found.first, found.second, scale.grades)
    figures = _compute_agreement(table, pairing.side_by_side(raters)[1], scale, scale.relevant_from)
    return replace(figures, n=found.n, only_first=found.alone, mean_difference=undefined(groups.NO_ORDER))


def _compute_agreement(table: Table, grades: Grades, scale: GradeScale, split_at: int) -> RaterAgreement:
    """All figures of a confusion table, and alpha of the grades (raters, pairs)."""
    if not scale.low < split_at <= scale.high:
        raise ValueError(f"grade {split_at} does not split the scale {scale} in two")
    counts = rank_correlation.count_table(table)
    kappa_from = {
        grade: agreement_kappa.kappa(agreement_kappa.binarised(table, scale.grades, grade))
        for grade in scale.grades[1:]
    }
    return RaterAgreement(
        n=int(table.sum()),
        only_first=0,
        only_second=0,
        relevant_from=split_at,
        kappa={weights: agreement_kappa.kappa(table, weights) for weights in agreement_kappa.WEIGHTS}
        | {"binary": kappa_from[split_at]},
        kappa_from=kappa_from,
        alpha={level: alpha.alpha(grades, scale.grades, level) for level in alpha.LEVELS},
        ac1=agreement_kappa.ac1(table),
        tau_b=rank_correlation.tau_b(counts),
        tau_a=rank_correlation.tau_a(counts),
        gamma=rank_correlation.gamma(counts),
        gamma_recipe=rank_correlation.recipe_gamma(counts),
        spearman=rank_correlation.spearman_of_table(table),
        share_equal=agreement_kappa.share_equal(table),
        mean_difference=agreement_kappa.mean_difference(table),
        confusion=table,
    )


def as_json(found: RaterAgreement) -> dict[str, object]:
    """All of it by name; what is undefined is None, and its reason stands under `reason` beside it."""
    return {
        "n": found.n,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "relevant_from": found.relevant_from,
        "kappa": value.as_json(found.kappa),
        "kappa_from": value.as_json({str(grade): kappa for grade, kappa in found.kappa_from.items()}),
        "alpha": value.as_json(found.alpha),
        **value.as_json(value.list_values(found)),
        "confusion": found.confusion.tolist(),
    }
