"""What a finding of `system_changes` says, as rows that sort: correlations, classes of pairs, pairs that changed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluation.agreement.value import Value, undefined
from evaluation.statistics.pair_changes import CLASSES
from evaluation.web import sorting

Told = dict[str, Any]

NAMES = {
    "tau_b": "Kendall’s tau-b",
    "tau_ap": "tau-AP, the top weighs most",
    "tau_a": "tau-a, a tie is no agreement",
    "gamma": "gamma, ties dropped",
    "spearman": "Spearman’s rho of the places",
}
SIGNIFICANT = {"A": "both (active)", "M": "one (mixed)", "P": "none (passive)"}
ORDER = {"A": "same", "D": "other"}


@dataclass(frozen=True)
class CorrelationRow:
    """A correlation in words; `interval` is what `bootstrap.Interval.as_json` tells."""

    name: str
    value: Value
    interval: Told


@dataclass(frozen=True)
class ClassRow:
    """How many pairs of systems are of a class, and which share of all that is."""

    name: str
    significant: str
    order: str
    pairs: int
    share: Value


@dataclass(frozen=True)
class PairRow:
    """Two systems whose significance changes, with the name of their class; a is the first rule, b the other."""

    first: str
    second: str
    name: str
    difference_a: float
    p_a: Value
    difference_b: float
    p_b: Value


@dataclass(frozen=True)
class Changes:
    """`how` tells how the intervals were drawn; `changed` are all pairs that changed."""

    correlations: list[CorrelationRow]
    classes: list[ClassRow]
    changed: list[PairRow]
    how: Told


CORRELATION_VALUES: dict[str, Callable[[CorrelationRow], Any]] = {
    "correlation": lambda row: row.value.value,
    "correlation_low": lambda row: row.interval["low"],
}
CLASS_VALUES: dict[str, Callable[[ClassRow], Any]] = {"class": lambda row: row.name, "pairs": lambda row: row.pairs}
PAIR_VALUES: dict[str, Callable[[PairRow], Any]] = {
    "first": lambda pair: pair.first,
    "second": lambda pair: pair.second,
    "pair_class": lambda pair: pair.name,
    "difference_a": lambda pair: pair.difference_a,
    "p_a": lambda pair: pair.p_a.value,
    "difference_b": lambda pair: pair.difference_b,
    "p_b": lambda pair: pair.p_b.value,
}
RISING = ("class", "first", "second", "pair_class", "p_a", "p_b")


def of(told: Told, sort: str) -> Changes:
    """The three tables of a finding; the one that has the column is in its order, the others as they were found."""
    return Changes(
        sorting.sort(_correlations(told), sort, CORRELATION_VALUES),
        sorting.sort(_classes(told), sort, CLASS_VALUES),
        sorting.sort(_pairs(told), sort, PAIR_VALUES),
        told["correlations"]["tau_b"],
    )


def _correlations(told: Told) -> list[CorrelationRow]:
    found = told["correlations"]
    return [
        CorrelationRow(words, Value(found[name]["value"], found[name]["value_reason"]), found[name])
        for name, words in NAMES.items()
    ]


def _classes(told: Told) -> list[ClassRow]:
    counts, pairs = told["classes"], told["pairs"]
    return [
        ClassRow(
            name,
            SIGNIFICANT[name[0]],
            ORDER[name[1]],
            counts[name],
            Value(counts[name] / pairs) if pairs else undefined("fewer than two systems"),
        )
        for name in CLASSES
    ]


def _pairs(told: Told) -> list[PairRow]:
    def p(number: float | None) -> Value:
        return undefined(told["reason"]) if number is None else Value(number)

    return [
        PairRow(
            pair["first"],
            pair["second"],
            pair["class"],
            pair["difference_a"],
            p(pair["p_a"]),
            pair["difference_b"],
            p(pair["p_b"]),
        )
        for pair in told["changed"]
    ]
