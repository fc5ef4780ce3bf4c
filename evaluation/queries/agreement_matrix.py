"""All raters of a collection against one another: ordinal alpha and on how many pairs."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from annotate.models import Collection
from evaluation.agreement import alpha, pairing
from evaluation.agreement.value import Value
from evaluation.queries import agreement, facts, raters
from evaluation.queries.facts import Stamp
from evaluation.queries.raters import Kind, NamedRater

HEAT_STEPS = 10


@dataclass(frozen=True)
class Cell:
    """Agreement of two raters, `first` and `second`, as they are compared; `n` pairs that both graded."""

    first: NamedRater
    second: NamedRater
    n: int
    alpha: Value

    @property
    def heat(self) -> int:
        """The step of the heat map, 0 to 9; alpha of 0 and below is 0."""
        return min(HEAT_STEPS - 1, max(0, int((self.alpha.value or 0) * HEAT_STEPS)))


@dataclass(frozen=True)
class Row:
    """`cells` in the order of the raters; None where the two are not independent."""

    rater: NamedRater
    cells: tuple[Cell | None, ...]


def of(collection: Collection) -> list[Row]:
    """One row for each of `raters.listed`."""
    listed = tuple(raters.listed(collection))
    models = [rater.name for rater in listed if rater.kind is Kind.MODEL]
    return _matrix(collection, listed, facts.stamp(collection, models))


@lru_cache(maxsize=16)
def _matrix(collection: Collection, listed: tuple[NamedRater, ...], _stamp: Stamp) -> list[Row]:
    everybody = [*listed, *(replace(rater, is_blind=True) for rater in listed if rater.is_person)]
    given = [raters.grades(collection, rater) for rater in everybody]
    grades = pairing.side_by_side(given)[1]
    lines = dict(zip(everybody, grades, strict=True))
    return [Row(first, tuple(_cell(first, second, lines, collection) for second in listed)) for first in listed]


def _cell(
    first: NamedRater, second: NamedRater, lines: dict[NamedRater, pairing.Grades], collection: Collection
) -> Cell | None:
    try:
        sides = agreement.compared(first, second)
    except agreement.NotComparable:
        return None
    both = np.stack([lines[sides.first], lines[sides.second]])
    n = int((both >= 0).all(axis=0).sum())
    return Cell(sides.first, sides.second, n, alpha.alpha(both, collection.scale.grades))
