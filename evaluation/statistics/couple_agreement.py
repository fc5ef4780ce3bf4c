"""Agreement of one column of grades with another, as a few figures for many groups, and with intervals."""

from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import alpha as agreement_alpha
from evaluation.agreement import confusion
from evaluation.agreement import kappa as agreement_kappa
from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Floats, Value, as_json, undefined, unless_nan
from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import Interval, Resampling

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
        figures = {name: value for name, value in vars(self).items() if name != "n"}
        return cast(CoupleAgreementJson, {"n": self.n, **as_json(figures)})


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
    tables = confusion.weighted_tables(given.first, given.second, group, groups, scale, given.weight)
    columns = [figure.tolist() for figure in _figures(tables)]
    counts = tables.sum(axis=(-2, -1)).round().astype(np.int64).tolist()
    return [_make_agreement(n, *figures) for n, *figures in zip(counts, *columns, strict=True)]


def intervals(
    given: Couples, topic: Groups, scale: range, how: Resampling = bootstrap.USUAL
) -> tuple[Interval, Interval, Interval]:
    """Of kappa, alpha and the mean difference, over the topics that have a couple; `topic` numbers each couple's."""
    topics, place = np.unique(topic, return_inverse=True)
    rows = confusion.weighted_tables(given.first, given.second, place, len(topics), scale, given.weight)
    of_kappa, of_alpha, _, of_difference = _figures(bootstrap.totals(rows, how))
    n = len(topics)
    return (
        bootstrap.percentiles(of_kappa, n, how),
        bootstrap.percentiles(of_alpha, n, how),
        bootstrap.percentiles(of_difference, n, how),
    )


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
