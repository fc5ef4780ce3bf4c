"""Tests of all pairs of systems by the names that the commands give them, and how they are told."""

from collections.abc import Sequence

from evaluation.agreement import value
from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import undefined
from evaluation.management import stateless
from evaluation.statistics import pair_changes, system_pairs
from evaluation.statistics.system_pairs import SystemPair

CORRECTIONS = {"tukey": "Tukey's honestly significant difference", "t": "Holm", "randomisation": "Holm"}
FLIPS = 100_000

Pairs = Sequence[SystemPair]


def test(name: str, scores: Floats, systems: Sequence[str], level: float, seed: int) -> Pairs:
    """All pairs of the systems, by scores (systems, topics). The seed is that of the randomisation test."""
    match name:
        case "tukey":
            return system_pairs.by_tukey(scores, systems, level)
        case "t":
            return system_pairs.by_t_test(scores, systems, level)
    return system_pairs.by_randomisation(scores, systems, level, flips=FLIPS, seed=seed)


def how(name: str, level: float, seed: int) -> dict[str, object]:
    """What was tested, and from which chance."""
    drawn = {"flips": FLIPS, "seed": seed} if name == "randomisation" else {}
    return {"test": name, "correction": CORRECTIONS[name], "level": level, **drawn}


def as_json(tested: Sequence[Pairs], topics: int) -> dict[str, object]:
    """The pairs under one qrels or two, how many are significant, and with two what became of them.

    Without a topic, and with fewer than two systems, all of it is undefined.
    """
    if reason := _why_undefined(len(tested[0]), topics):
        names = ("pairs", "significant", "changes")[: len(tested) + 1]
        return value.as_json(dict.fromkeys(names, undefined(reason)))
    significant = [sum(pair.is_significant for pair in pairs) for pairs in tested]
    return {
        "pairs": [_pair(*sides) for sides in zip(*tested, strict=True)],
        "significant": dict(zip(stateless.SIDES, significant, strict=False)),
        **({"changes": _changes(*tested)} if len(tested) == 2 else {}),
    }


def _why_undefined(pairs: int, topics: int) -> str:
    if not topics:
        return "there is no topic that all qrels have"
    return "" if pairs else "fewer than two systems"


def _pair(one: SystemPair, other: SystemPair | None = None) -> dict[str, object]:
    told: dict[str, object] = {
        "first": one.first,
        "second": one.second,
        "difference": one.difference,
        "is_significant": one.is_significant,
    }
    if other is None:
        return told | value.as_json({"p": one.p})
    told |= {"other_difference": other.difference, "other_is_significant": other.is_significant}
    return told | {"class": pair_changes.class_of(one, other), **value.as_json({"p": one.p, "other_p": other.p})}


def _changes(reference: Pairs, other: Pairs) -> dict[str, object]:
    found = pair_changes.compare(reference, other)
    return {
        "counts": {name: len(pairs) for name, pairs in found.pairs.items()},
        "shares": value.as_json({name: found.share(name) for name in pair_changes.CLASSES}),
        "lost": found.lost,
        "found": found.found,
    }
