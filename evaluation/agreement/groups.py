"""Agreement by group: by topic, grade, arm, source, week, passage length, whatever has a key."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotate.retrieval import analysis
from evaluation.agreement import alpha as agreement_alpha
from evaluation.agreement import kappa as agreement_kappa
from evaluation.agreement import pairing
from evaluation.agreement.kappa import Table, Tables
from evaluation.agreement.pairing import Couples, Pair
from evaluation.agreement.value import Floats, Value, undefined, unless_nan


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


def compare_groups(
    first: Mapping[Pair, int], second: Mapping[Pair, int], keys: Mapping[Pair, K], scale: range, relevant_from: int
) -> Groups[K]:
    """The agreement of two raters in each group of the pairs that both graded, by the key of each pair.

    By the first rater's grade, `keys` is `first` itself: read the mean difference there, since kappa and
    alpha expect both raters to vary. A group whose pairs have one grade only has undefined coefficients.
    Computed for all groups at once, equal to the values of the whole up to rounding. Raises ValueError for
    a grade off the scale.

    >>> people, model = {("q", "a"): 0, ("q", "b"): 1, ("r", "a"): 1}, {("q", "a"): 0, ("q", "b"): 1, ("r", "a"): 0}
    >>> found = compare_groups(people, model, {pair: pair[0] for pair in people}, range(2), 1)
    >>> {key: (group.n, group.share_equal.value) for key, group in found.by_key.items()}
    {'q': (2, 1.0), 'r': (1, 0.0)}
    """
    common = first.keys() & second.keys()
    chosen = common & keys.keys()
    paired = pairing.pair({pair: first[pair] for pair in chosen}, second)
    names, group = _groups(paired.pairs, keys)
    tables = agreement_kappa.tables(paired.first, paired.second, group, len(names), scale)
    agreements = _agreements(tables, agreement_alpha.coincidences_of_tables(tables), scale, relevant_from)
    return Groups(dict(zip(names, agreements, strict=True)), len(common) - len(chosen))


def compare_groups_among_people(result: Couples, keys: Mapping[Pair, K], scale: range, relevant_from: int) -> Groups[K]:
    """The agreement of several raters among themselves in each group of the pairs that two or more graded.

    Alpha is Krippendorff's of all raters. The other figures are those of the couples of grades taken together,
    so of two raters they are those of `compare`. The mean difference is undefined, since the raters have no
    order. Raises ValueError for a grade off the scale.

    >>> from evaluation.agreement import pairing as couples
    >>> found = couples.list_couples([{("q", "a"): 0, ("q", "b"): 1}, {("q", "a"): 0}, {("q", "a"): 1, ("q", "b"): 1}])
    >>> group = compare_groups_among_people(found, {("q", "a"): "q", ("q", "b"): "q"}, range(2), 1).by_key["q"]
    >>> group.n, group.share_equal.value
    (2, 0.5)
    """
    chosen = result.within(keys)
    names, group = _groups(chosen.pairs, keys)
    tables = agreement_kappa.tables(chosen.first, chosen.second, group, len(names), scale)
    weighted = agreement_kappa.weighted_tables(chosen.first, chosen.second, group, len(names), scale, chosen.weight)
    agreements = _agreements(tables, agreement_alpha.coincidences_of_tables(weighted), scale, relevant_from)
    numbers = np.bincount(group[chosen.is_new], minlength=len(names)).tolist()
    unsigned = undefined(NO_ORDER)
    by_key = {
        name: replace(each, n=n, mean_difference=unsigned)
        for name, each, n in zip(names, agreements, numbers, strict=True)
    }
    return Groups(by_key, result.n - chosen.n)


def _groups(pairs: Sequence[Pair], keys: Mapping[Pair, K]) -> tuple[list[K], NDArray[np.int64]]:
    """The keys of these pairs in order, and for each pair the place of its key among them."""
    names = sorted({keys[pair] for pair in pairs})
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place[keys[pair]] for pair in pairs], dtype=np.int64)


def _agreements(tables: Tables, matrices: NDArray[Any], scale: range, relevant_from: int) -> list[GroupAgreement]:
    kappas = {weights: agreement_kappa.kappas(tables, weights) for weights in agreement_kappa.WEIGHTS}
    binary = agreement_kappa.kappas(agreement_kappa.binarised(tables, scale, relevant_from))
    alphas = {level: agreement_alpha.alphas(matrices, level) for level in agreement_alpha.LEVELS}
    ac1s, equal, difference = (
        agreement_kappa.ac1s(tables),
        agreement_kappa.shares_equal(tables),
        agreement_kappa.mean_differences(tables),
    )
    return [
        GroupAgreement(
            n=int(table.sum()),
            kappa=_at(place, {**kappas, "binary": binary}, agreement_kappa.ONE_GRADE_KAPPA),
            alpha=_at(place, alphas, agreement_alpha.ONE_GRADE),
            ac1=unless_nan(ac1s[place], agreement_kappa.ONE_GRADE_AC1),
            share_equal=unless_nan(equal[place], agreement_kappa.NO_PAIR),
            mean_difference=unless_nan(difference[place], agreement_kappa.NO_PAIR),
            confusion=table,
        )
        for place, table in enumerate(tables)
    ]


def _at(place: int, columns: Mapping[Any, Floats], reason: str) -> dict[str, Value]:
    return {name: unless_nan(column[place], reason) for name, column in columns.items()}


@dataclass(frozen=True, order=True)
class Bin:
    """The values from `low` to `high`, both of which occur."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


def bin_by_quantiles(values: Mapping[Pair, float], bins: int = 4) -> dict[Pair, Bin]:
    """The bin of each pair. Equal values share a bin, so there may be fewer bins than asked for.

    >>> found = bin_by_quantiles({("q", "a"): 10, ("q", "b"): 20, ("q", "c"): 90, ("q", "d"): 30}, bins=2)
    >>> [str(found["q", passage_id]) for passage_id in "abcd"]
    ['10 to 20', '10 to 20', '30 to 90', '30 to 90']
    """
    if not values:
        return {}
    numbers = np.fromiter(values.values(), dtype=np.float64, count=len(values))
    tops = np.unique(np.quantile(numbers, np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.searchsorted(tops, numbers)
    result = [Bin(float(numbers[place == top].min()), float(tops[top])) for top in range(len(tops))]
    return {pair: result[top] for pair, top in zip(values, place, strict=True)}


def place_in_bins(values: Mapping[Pair, float], bins: Iterable[Bin]) -> dict[Pair, Bin]:
    """The bin of each pair among given ones; a value that lies in none is left out.

    >>> place_in_bins({("q", "a"): 12, ("q", "b"): 25}, [Bin(10, 20), Bin(30, 90)])
    {('q', 'a'): Bin(low=10, high=20)}
    """
    given = list(bins)
    result = {
        pair: next((each for each in given if each.low <= value <= each.high), None) for pair, value in values.items()
    }
    return {pair: each for pair, each in result.items() if each is not None}


def passage_length(passage: str) -> int:
    """How many words the passage has.

    >>> passage_length("It joins the parts: os.path.join does.")
    6
    """
    return len(analysis.plain(passage))


def query_overlap(query: str, passage: str) -> float | None:
    """The share of the query's different stems, stop words left out, that the passage has; 0 to 1.

    None if nothing is left of the query.

    >>> query_overlap("how are lists sorted", "A list is sorted in place."), query_overlap("what is it", "A list.")
    (1.0, None)
    """
    wanted = set(analysis.stemmed(query))
    return len(wanted & set(analysis.stemmed(passage))) / len(wanted) if wanted else None
