"""All raters of a collection against one another: ordinal alpha and on how many pairs."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from annotate.grades import ratings
from annotate.models import Collection
from evaluation.agreement import alpha, pairing
from evaluation.agreement.pairing import Grades
from evaluation.agreement.value import Value
from evaluation.findings.agreement import agreement, self_agreement
from evaluation.findings.agreement.common_pairs import Sides
from evaluation.inputs import facts, raters
from evaluation.inputs.facts import Stamp
from evaluation.inputs.raters import Kind, NamedRater

HEAT_STEPS = 10


@dataclass(frozen=True)
class Among:
    """Alpha of all people among themselves over the `n` pairs that two of them or more graded."""

    n: int
    alpha: Value


@dataclass(frozen=True)
class Cell:
    """Agreement of two raters, `first` and `second`, as they are compared; `n` pairs that both graded.

    Of a person with himself it is that of his first and second round. `among` is to stand beside it: people among
    themselves, blind beside a model; None where both are people, and where nobody has judged.
    """

    first: NamedRater
    second: NamedRater
    n: int
    alpha: Value
    among: Among | None = None

    @property
    def heat(self) -> int:
        """The step of the heat map, 0 to 9; alpha of 0 and below is 0."""
        return min(HEAT_STEPS - 1, max(0, int((self.alpha.value or 0) * HEAT_STEPS)))

    @property
    def is_self(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True)
class Row:
    """`cells` in the order of the raters; None where the two are not independent."""

    rater: NamedRater
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Matrix:
    """A row for each of `raters.listed`. `among` is what stands beside the figures of people with each of them: people
    among themselves; None for people. It is empty where nobody has judged."""

    rows: tuple[Row, ...]
    among: tuple[Among | None, ...]

    @property
    def has_repeats(self) -> bool:
        return any(cell is not None and cell.is_self for row in self.rows for cell in row.cells)


def of(collection: Collection) -> Matrix:
    listed = tuple(raters.listed(collection))
    models = [rater.name for rater in listed if rater.kind is Kind.MODEL]
    return _matrix(collection, listed, facts.stamp(collection, models))


@lru_cache(maxsize=16)
def _matrix(collection: Collection, listed: tuple[NamedRater, ...], _stamp: Stamp) -> Matrix:
    everybody = [*listed, *(replace(rater, is_blind=True) for rater in listed if rater.may_be_blind)]
    given = [raters.grades(collection, rater) for rater in everybody]
    lines = dict(zip(everybody, pairing.side_by_side(given)[1], strict=True))
    among = _among_people(collection) if any(rater.is_person for rater in listed) else {}
    cells = _selves(collection, listed)
    cells |= {
        (first, second): _cell(sides, lines, among.get(sides.is_blind), collection)
        for first in listed
        for second in listed
        if (sides := _compared(first, second))
    }
    return Matrix(
        tuple(Row(first, tuple(cells.get((first, second)) for second in listed)) for first in listed),
        tuple(None if rater.is_person else among[rater.kind is Kind.MODEL] for rater in listed) if among else (),
    )


def _compared(first: NamedRater, second: NamedRater) -> Sides | None:
    try:
        return agreement.compared(first, second)
    except agreement.NotComparable:
        return None


def _cell(sides: Sides, lines: dict[NamedRater, Grades], among: Among | None, collection: Collection) -> Cell:
    both = np.stack([lines[sides.first], lines[sides.second]])
    n = int((both >= 0).all(axis=0).sum())
    found = alpha.alpha(both, collection.scale.grades)
    return Cell(sides.first, sides.second, n, found, None if sides.are_people else among)


def _selves(collection: Collection, listed: tuple[NamedRater, ...]) -> dict[tuple[NamedRater, NamedRater], Cell]:
    """Of everybody who was given pairs again."""
    found = self_agreement.of_all(collection)
    return {
        (rater, rater): Cell(rater, rater, found[rater.name].n, found[rater.name].alpha["ordinal"])
        for rater in listed
        if rater.kind is Kind.ASSESSOR and rater.name in found
    }


def _among_people(collection: Collection) -> dict[bool, Among]:
    """Of final grades, and (True) of those given blind."""
    found = {}
    for is_blind in (False, True):
        given = list(ratings.by_assessor(collection, blind=is_blind).values())
        grades = pairing.side_by_side(given)[1]
        n = int(((grades >= 0).sum(axis=0) >= 2).sum())
        found[is_blind] = Among(n, alpha.alpha(grades, collection.scale.grades))
    return found
