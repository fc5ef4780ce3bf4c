"""Agreement by group: by topic, grade, arm, source, week, passage length, whatever has a key."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import ac1, alpha, coincidences, confusion, kappa, pairing, percent
from evaluation.agreement.confusion import Table, Tables
from evaluation.agreement.couples import Couples
from evaluation.agreement.pairing import Pair
from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import Value, undefined, unless_nan


class Key(Hashable, Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=Key)

NO_ORDER = "people among themselves have no order, so no sign"


@dataclass(frozen=True, eq=False)
class GroupAgreement:
    """Agreement on the `n` pairs of one group; the names are those of `rater_agreement.RaterAgreement`.

    Of several raters among themselves the table counts couples of grades, so its sum may be above `n`.
    """

    n: int
    kappa: dict[str, Value]
    alpha: dict[str, Value]
    ac1: Value
    share_equal: Value
    mean_difference: Value
    confusion: Table


@dataclass(frozen=True, eq=False)
class Groups(Generic[K]):
    """The groups in the order of their keys. `without_key` pairs were graded and belong to none."""

    by_key: Mapping[K, GroupAgreement]
    without_key: int


def compare(
    first: Mapping[Pair, int], second: Mapping[Pair, int], keys: Mapping[Pair, K], scale: range, relevant_from: int
) -> Groups[K]:
    """The agreement of two raters in each group of the pairs that both graded, by the key of each pair.

    By the first rater's grade, `keys` is `first` itself: read the mean difference there, since kappa and
    alpha expect both raters to vary. A group whose pairs have one grade only has undefined coefficients.
    Computed for all groups at once, equal to the values of the whole up to rounding. Raises ValueError for
    a grade off the scale.

    >>> people, model = {("q", "a"): 0, ("q", "b"): 1, ("r", "a"): 1}, {("q", "a"): 0, ("q", "b"): 1, ("r", "a"): 0}
    >>> found = compare(people, model, {pair: pair[0] for pair in people}, range(2), 1)
    >>> {key: (group.n, group.share_equal.value) for key, group in found.by_key.items()}
    {'q': (2, 1.0), 'r': (1, 0.0)}
    """
    common = first.keys() & second.keys()
    chosen = common & keys.keys()
    paired = pairing.pair({pair: first[pair] for pair in chosen}, second)
    names, group = _groups(paired.pairs, keys)
    tables = confusion.tables(paired.first, paired.second, group, len(names), scale)
    agreements = _agreements(tables, coincidences.of_tables(tables), scale, relevant_from)
    return Groups(dict(zip(names, agreements, strict=True)), len(common) - len(chosen))


def among(found: Couples, keys: Mapping[Pair, K], scale: range, relevant_from: int) -> Groups[K]:
    """The agreement of several raters among themselves in each group of the pairs that two or more graded.

    Alpha is Krippendorff's of all raters. The other figures are those of the couples of grades taken together,
    so of two raters they are those of `compare`. The mean difference is undefined, since the raters have no
    order. Raises ValueError for a grade off the scale.

    >>> from evaluation.agreement import couples
    >>> found = couples.of([{("q", "a"): 0, ("q", "b"): 1}, {("q", "a"): 0}, {("q", "a"): 1, ("q", "b"): 1}])
    >>> group = among(found, {("q", "a"): "q", ("q", "b"): "q"}, range(2), 1).by_key["q"]
    >>> group.n, group.share_equal.value
    (2, 0.5)
    """
    chosen = found.within(keys)
    names, group = _groups(chosen.pairs, keys)
    tables = confusion.tables(chosen.first, chosen.second, group, len(names), scale)
    weighted = confusion.weighted_tables(chosen.first, chosen.second, group, len(names), scale, chosen.weight)
    agreements = _agreements(tables, coincidences.of_tables(weighted), scale, relevant_from)
    numbers = np.bincount(group[chosen.is_new], minlength=len(names)).tolist()
    unsigned = undefined(NO_ORDER)
    by_key = {
        name: replace(each, n=n, mean_difference=unsigned)
        for name, each, n in zip(names, agreements, numbers, strict=True)
    }
    return Groups(by_key, found.n - chosen.n)


def _groups(pairs: Sequence[Pair], keys: Mapping[Pair, K]) -> tuple[list[K], NDArray[np.int64]]:
    """The keys of these pairs in order, and for each pair the place of its key among them."""
    names = sorted({keys[pair] for pair in pairs})
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place[keys[pair]] for pair in pairs], dtype=np.int64)


def _agreements(tables: Tables, matrices: NDArray[Any], scale: range, relevant_from: int) -> list[GroupAgreement]:
    kappas = {weights: kappa.kappas(tables, weights) for weights in kappa.WEIGHTS}
    binary = kappa.kappas(confusion.binarised(tables, scale, relevant_from))
    alphas = {level: alpha.alphas(matrices, level) for level in alpha.LEVELS}
    ac1s, equal, difference = ac1.ac1s(tables), percent.shares_equal(tables), percent.mean_differences(tables)
    return [
        GroupAgreement(
            n=int(table.sum()),
            kappa=_at(place, {**kappas, "binary": binary}, kappa.ONE_GRADE),
            alpha=_at(place, alphas, alpha.ONE_GRADE),
            ac1=unless_nan(ac1s[place], ac1.ONE_GRADE),
            share_equal=unless_nan(equal[place], kappa.NO_PAIR),
            mean_difference=unless_nan(difference[place], kappa.NO_PAIR),
            confusion=table,
        )
        for place, table in enumerate(tables)
    ]


def _at(place: int, columns: Mapping[Any, Floats], reason: str) -> dict[str, Value]:
    return {name: unless_nan(column[place], reason) for name, column in columns.items()}
