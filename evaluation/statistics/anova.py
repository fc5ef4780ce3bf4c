"""Analysis of variance of balanced designs: systems and topics, and with them profiles of users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.agreement import value
from evaluation.agreement.value import Floats, Value, undefined

# What is left of numbers after exact cancelling, as a share of the largest.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Effect:
    """One line of the table. `partial_omega_squared` estimates the share of the variance that this effect adds
    to what is left over; at most 1, and below 0 where it explains less than chance would."""

    name: str
    sum_of_squares: float
    df: int
    mean_square: Value
    f: Value
    p: Value
    partial_omega_squared: Value

    @property
    def values(self) -> dict[str, Value]:
        """Those that may be undefined, by name."""
        return value.list_values(self)


@dataclass(frozen=True)
class Analysis:
    """The effects in the order asked for, and what is left over (`mean_square` undefined without freedom)."""

    n: int
    effects: tuple[Effect, ...]
    residual_sum_of_squares: float
    residual_df: int
    residual_mean_square: Value

    def effect(self, name: str) -> Effect:
        """The line of an effect, such as `system` or `topic:system`; raises KeyError."""
        return {effect.name: effect for effect in self.effects}[name]

    def as_json(self) -> dict[str, object]:
        """The number of scores, the effects in their order, and what is left over."""
        return {
            "n": self.n,
            "effects": [
                {
                    "name": effect.name,
                    "sum_of_squares": effect.sum_of_squares,
                    "df": effect.df,
                    **value.as_json(effect.values),
                }
                for effect in self.effects
            ],
            "residual": {
                "sum_of_squares": self.residual_sum_of_squares,
                "df": self.residual_df,
                **value.as_json({"mean_square": self.residual_mean_square}),
            },
        }


def two_way(scores: ArrayLike) -> Analysis:
    """`system` and `topic`, of scores (systems, topics); their interaction is what is left over.

    >>> found = two_way([[0.2, 0.4, 0.7], [0.3, 0.6, 0.7]])
    >>> [(effect.name, round(effect.f.number, 2)) for effect in found.effects]
    [('system', 3.0), ('topic', 20.33)]
    """
    return analyse(scores, ("system", "topic"), 1)


def analyse(data: ArrayLike, factors: Sequence[str], order: int) -> Analysis:
    """All effects of up to `order` of the factors, of data with one axis for each factor.

    A last axis without a factor holds replicates; they and the effects that were not asked for are what is
    left over. Exact, since in a balanced design the effects do not overlap. Raises ValueError for data
    without a number for each cell. Sources: Scheffe, The analysis of variance, 1959; Olejnik and Algina,
    Psychological Methods 8, 2003, for partial omega squared.
    """
    cells = np.asarray(data, dtype=np.float64)
    if cells.ndim not in (len(factors), len(factors) + 1) or not cells.size or not np.isfinite(cells).all():
        raise ValueError(f"the scores are no finite number for each {', '.join(factors)}")
    left_over = cells - cells.mean()
    result = []
    for axes in (axes for size in range(1, order + 1) for axes in combinations(range(len(factors)), size)):
        component = _component(cells, axes)
        left_over = left_over - component
        result.append((":".join(factors[axis] for axis in axes), component, prod(cells.shape[a] - 1 for a in axes)))
    return _analysis(cells, result, left_over)


def _component(cells: Floats, axes: Sequence[int]) -> Floats:
    """What these factors together, and none of them alone, add to the mean; other axes have length 1."""
    component: Floats = cells.mean(axis=tuple(axis for axis in range(cells.ndim) if axis not in axes), keepdims=True)
    for axis in axes:
        component = component - component.mean(axis=axis, keepdims=True)
    return component


def _analysis(cells: Floats, components: list[tuple[str, Floats, int]], left_over: Floats) -> Analysis:
    df = cells.size - 1 - sum(freedom for _, _, freedom in components)
    is_nothing = np.abs(left_over).max() <= _ROUNDING * np.abs(cells).max()
    residual = 0.0 if is_nothing else float((left_over**2).sum())
    mean_square = Value(residual / df) if df else undefined("nothing is left over to compare with")
    effects = []
    for name, component, freedom in components:
        squares = float((component**2).sum()) * (cells.size // component.size)
        effects.append(_effect(name, squares, freedom, mean_square, df, cells.size))
    return Analysis(cells.size, tuple(effects), residual, df, mean_square)


def _effect(name: str, squares: float, df: int, residual: Value, residual_df: int, n: int) -> Effect:
    reason = _why_undefined(name, df, residual)
    if reason:
        nothing = undefined(reason)
        return Effect(name, squares, df, Value(squares / df) if df else nothing, nothing, nothing, nothing)
    # scipy takes half a second to import, and who starts the server or scores runs does not need it.
    from scipy import special

    f = squares / df / residual.number
    excess = df * (f - 1.0)
    p = float(special.fdtrc(df, residual_df, f))
    return Effect(name, squares, df, Value(squares / df), Value(f), Value(p), Value(excess / (excess + n)))


def _why_undefined(name: str, df: int, residual: Value) -> str:
    if not df:
        return f"there is only one {' or one '.join(name.split(':'))}"
    if residual.value == 0.0:
        return "nothing is left over to compare with: the effects explain every score"
    return residual.reason


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
    result = [_cell(scores, cell) for cell in cells]
    if variants == "averaged":
        values = np.array([np.mean(each) for each in result])
    else:
        _check_equal(cells, result)
        values = np.array(result)
    shape = (len(topics), len(systems), len(profiles), *values.shape[1:])
    return analyse(values.reshape(shape), ("topic", "system", "profile"), 2)


def _cell(scores: Mapping[Cell, Sequence[float]], cell: Cell) -> Sequence[float]:
    values = scores.get(cell, ())
    if not len(values):
        raise Unbalanced(f"{_words(cell)} has no score")
    return values


def _check_equal(cells: Sequence[Cell], result: Sequence[Sequence[float]]) -> None:
    for cell, values in zip(cells, result, strict=True):
        if len(values) != len(result[0]):
            raise Unbalanced(
                f"{_words(cell)} has {_counted(len(values))} and {_words(cells[0])} has {len(result[0])}: "
                "average the variants, or give equally many"
            )


def _words(cell: Cell) -> str:
    topic, system, profile = cell
    return f"topic {topic}, system {system}, profile {profile}"


def _counted(variants: int) -> str:
    return "1 variant" if variants == 1 else f"{variants} variants"
