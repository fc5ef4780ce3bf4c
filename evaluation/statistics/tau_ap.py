"""tau-AP: rank correlation in which the top of the ranking weighs most."""

from collections.abc import Sequence

from evaluation.agreement.value import Value, undefined


def tau_ap(reference: Sequence[float], other: Sequence[float], names: Sequence[str]) -> Value:
    """How well `other` orders the systems that `reference` orders, by the scores and names of each; -1 to 1.

    Down the ranking of `other` from its second system, the share of the systems above that the reference
    also puts above, averaged and stretched to -1 ... 1. Not symmetric: the reference comes first. Tied
    systems stand in the order of their names. Undefined with fewer than two systems, and if all scores of
    one ranking are equal. Source: Yilmaz, Aslam and Robertson, SIGIR 2008.

    >>> tau_ap([5, 4, 3, 2, 1], [4, 5, 3, 2, 1], "ABCDE")
    Value(value=0.5, reason='')
    """
    if len(names) < 2:
        return undefined("fewer than two to compare")
    for scores, which in ((reference, "reference"), (other, "other ranking")):
        if len(set(scores)) == 1:
            return undefined(f"all scores of the {which} are equal")
    place = {system: rank for rank, system in enumerate(_ranking(reference, names))}
    places = [place[system] for system in _ranking(other, names)]
    shares = [sum(above < places[rank] for above in places[:rank]) / rank for rank in range(1, len(places))]
    return Value(2.0 * sum(shares) / len(shares) - 1.0)


def _ranking(scores: Sequence[float], names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=lambda system: (-scores[system], names[system]))
