"""Three-way analysis of variance: topic, system, profile of users, and each two of them together."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal

import numpy as np

from evaluation.statistics import anova
from evaluation.statistics.anova import Analysis

Cell = tuple[str, str, str]
Variants = Literal["averaged", "replicates"]


class Unbalanced(ValueError):
    """A cell lacks scores that others have, so that the effects overlap; the message names the cell."""


def three_way(scores: Mapping[Cell, Sequence[float]], variants: Variants = "averaged") -> Analysis:
    """The effects of `topic`, `system`, `profile`, and their two-way interactions.

    `scores` has, for each (topic, system, profile), the scores of the profile's query variants. `averaged`
    takes their mean first, so what is left over is the interaction of all three; as `replicates`, which
    needs equally many in each cell, the spread between variants is left over too. Raises Unbalanced.

    >>> cells = product("12", ["bm25", "dense"], ["child", "expert"])
    >>> found = three_way({cell: [0.1 * place**0.5] for place, cell in enumerate(cells)})
    >>> [effect.name for effect in found.effects]
    ['topic', 'system', 'profile', 'topic:system', 'topic:profile', 'system:profile']
    """
    if not scores:
        raise Unbalanced("there are no scores")
    topics, systems, profiles = (sorted({cell[axis] for cell in scores}) for axis in range(3))
    cells = list(product(topics, systems, profiles))
    found = [_cell(scores, cell) for cell in cells]
    if variants == "averaged":
        values = np.array([np.mean(each) for each in found])
    else:
        _check_equal(cells, found)
        values = np.array(found)
    shape = (len(topics), len(systems), len(profiles), *values.shape[1:])
    return anova.analyse(values.reshape(shape), ("topic", "system", "profile"), 2)


def _cell(scores: Mapping[Cell, Sequence[float]], cell: Cell) -> Sequence[float]:
    values = scores.get(cell, ())
    if not len(values):
        raise Unbalanced(f"{_words(cell)} has no score")
    return values


def _check_equal(cells: Sequence[Cell], found: Sequence[Sequence[float]]) -> None:
    for cell, values in zip(cells, found, strict=True):
        if len(values) != len(found[0]):
            raise Unbalanced(
                f"{_words(cell)} has {_counted(len(values))} and {_words(cells[0])} has {len(found[0])}: "
                "average the variants, or give equally many"
            )


def _words(cell: Cell) -> str:
    topic, system, profile = cell
    return f"topic {topic}, system {system}, profile {profile}"


def _counted(variants: int) -> str:
    return "1 variant" if variants == 1 else f"{variants} variants"
