"""Circularity: a judge of the same model family as a system may like what that system likes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.value import Floats, Value, undefined
from evaluation.statistics import bootstrap, system_pairs
from evaluation.statistics.bootstrap import Interval, Resampling

_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Shift:
    """`own` and `others`: the mean change of the systems of a family, mostly the judge's, and of the rest; `difference`
    of both, with its interval over topics."""

    own: Value
    others: Value
    difference: Value
    interval: Interval


def families(text: str) -> tuple[str, ...]:
    """The model families that a text names, with commas between them.

    >>> families("GPT, Llama-3 ,")
    ('GPT', 'Llama-3')
    """
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def is_same(families_of_run: str, judge: str) -> bool:
    """Whether a run names a family of the judge, which is known by its families or by the name of its model.

    The words of a family stand in the judge's text one after the other, whatever their case.

    >>> is_same("Llama, BERT", "Meta-Llama-3-8B"), is_same("GPT-4", "gpt-4o"), is_same("Llama-2", "Llama-3-8B")
    (True, True, False)
    """
    return any(_stands_in(family, name) for family in families(families_of_run) for name in families(judge))


def own_systems(by_system: Mapping[str, str], judge: str) -> tuple[str, ...]:
    """The systems of the judge's family, by their tags."""
    return tuple(sorted(system for system, named in by_system.items() if is_same(named, judge)))


def by_family(by_system: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The systems of each family that a run names, whatever its case; named as the first system has it.

    >>> by_family({"a": "BERT", "b": "bert, GPT", "c": ""})
    {'BERT': ('a', 'b'), 'GPT': ('b',)}
    """
    names: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for system, named in sorted(by_system.items()):
        for family in dict.fromkeys(names.setdefault(each.casefold(), each) for each in families(named)):
            found.setdefault(family, []).append(system)
    return {family: tuple(found[family]) for family in sorted(found)}


def shift(
    changes: Floats, systems: Sequence[str], own: Sequence[str], how: Resampling, family: str = "the judge's family"
) -> Shift:
    """How differently the systems of a family changed, from changes (systems, topics) of a measure."""
    is_own = np.array([system in set(own) for system in systems], dtype=np.bool_)
    if reason := _why_undefined(is_own, changes.shape[1], family):
        nothing = undefined(reason)
        return Shift(nothing, nothing, nothing, Interval(None, None, changes.shape[1], 0, how, reason))
    by_topic = np.array([changes[is_own].mean(axis=0), changes[~is_own].mean(axis=0)])
    own_mean, other_mean = system_pairs.rounded(by_topic.mean(axis=1)).tolist()
    difference = by_topic[0] - by_topic[1]
    resampled = bootstrap.totals(difference, how) / len(difference)
    return Shift(
        Value(own_mean),
        Value(other_mean),
        Value(float(system_pairs.rounded(difference.mean()))),
        bootstrap.percentiles(resampled, len(difference), how),
    )


def _why_undefined(is_own: NDArray[np.bool_], topics: int, family: str) -> str:
    if not topics:
        return "there is no topic"
    if not is_own.any():
        return f"no system is of {family}"
    return f"all systems are of {family}" if is_own.all() else ""


def _stands_in(family: str, judge: str) -> bool:
    own, known = ([word.casefold() for word in _WORDS.findall(text)] for text in (family, judge))
    last = len(own) - 1
    return bool(own) and any(
        known[start : start + last] == own[:last] and known[start + last].startswith(own[last])
        for start in range(len(known) - last)
    )
