"""Rank correlation from pair counts: tau-b (the default), tau-a and gamma."""

import math

from evaluation.agreement.value import Value, undefined
from evaluation.statistics.pair_counts import PairCounts

TOO_FEW = "fewer than two to compare"


def tau_a(counts: PairCounts) -> Value:
    """(Concordant - discordant) / all pairs; -1 to 1. A tie counts as no agreement. Source: Kendall 1938.

    >>> tau_a(PairCounts(n=4, concordant=4, discordant=1, tied_first=1, tied_second=0, tied_both=0))
    Value(value=0.5, reason='')
    """
    return Value(counts.excess / counts.pairs) if counts.pairs else undefined(TOO_FEW)


def tau_b(counts: PairCounts) -> Value:
    """(Concordant - discordant) / the geometric mean of the pairs untied in each order; -1 to 1.

    Undefined if one order ties everything. Source: Kendall 1945.

    >>> tau_b(PairCounts(n=4, concordant=4, discordant=0, tied_first=2, tied_second=2, tied_both=2))
    Value(value=1.0, reason='')
    """
    reason = _why_undefined(counts)
    if reason:
        return undefined(reason)
    untied_first, untied_second = counts.pairs - counts.tied_first, counts.pairs - counts.tied_second
    if untied_first == untied_second:
        return Value(counts.excess / untied_first)
    return Value(counts.excess / math.sqrt(untied_first * untied_second))


def gamma(counts: PairCounts) -> Value:
    """(Concordant - discordant) / (concordant + discordant), so ties are dropped; -1 to 1.

    Undefined if one order ties everything. Source: Goodman and Kruskal 1954.

    >>> gamma(PairCounts(n=4, concordant=3, discordant=1, tied_first=2, tied_second=0, tied_both=0))
    Value(value=0.5, reason='')
    """
    reason = _why_undefined(counts)
    return undefined(reason) if reason else recipe_gamma(counts)


def recipe_gamma(counts: PairCounts) -> Value:
    """Gamma as the recipe of arXiv:2405.04727 computes it: 0.0 where one order ties everything.

    Undefined for fewer than two things.
    """
    if not counts.pairs:
        return undefined(TOO_FEW)
    untied = counts.concordant + counts.discordant
    return Value(counts.excess / untied if untied else 0.0)


def all_equal(is_first: bool, is_second: bool) -> str:
    """The sentence for an order that ties everything; empty if neither does."""
    if is_first and is_second:
        return "all values of both are equal"
    if is_first or is_second:
        return f"all values of the {'first' if is_first else 'second'} are equal"
    return ""


def _why_undefined(counts: PairCounts) -> str:
    if not counts.pairs:
        return TOO_FEW
    return all_equal(counts.tied_first == counts.pairs, counts.tied_second == counts.pairs)
