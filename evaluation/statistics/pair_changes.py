"""Which significant pairs of systems survive when the qrels, or the users, change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.agreement.value import Value, undefined
from evaluation.statistics.system_pairs import SystemPair

Class = Literal["AA", "AD", "MA", "MD", "PA", "PD"]
CLASSES: tuple[Class, ...] = ("AA", "AD", "MA", "MD", "PA", "PD")


@dataclass(frozen=True, eq=False)
class PairChanges:
    """The pairs (first system, second system) of each class, in the order given.

    Active, mixed, passive: both sides find the pair significant, one does, none does. Agreement or
    disagreement: the same system is ahead, or the other one; a tie contradicts nothing and agrees. `lost`
    are significant on the reference side alone, `found` on the other alone.
    """

    pairs: dict[Class, tuple[tuple[str, str], ...]]
    lost: tuple[tuple[str, str], ...]
    found: tuple[tuple[str, str], ...]

    @property
    def n(self) -> int:
        return sum(map(len, self.pairs.values()))

    def share(self, name: Class) -> Value:
        """The share of a class in all pairs; undefined without pairs."""
        return Value(len(self.pairs[name]) / self.n) if self.n else undefined("fewer than two systems")


def compare(reference: Sequence[SystemPair], other: Sequence[SystemPair]) -> PairChanges:
    """The classes of the same pairs on two sides. Raises ValueError if they are not the same pairs, in order.

    Source of the classes: arXiv:2508.17644.

    >>> one = SystemPair("bm25", "dense", -0.1, Value(0.01), True)
    >>> two = SystemPair("bm25", "dense", 0.02, Value(0.6), False)
    >>> compare([one], [two]).pairs["MD"], compare([one], [two]).lost
    ((('bm25', 'dense'),), (('bm25', 'dense'),))
    """
    names = [(pair.first, pair.second) for pair in reference]
    if names != [(pair.first, pair.second) for pair in other]:
        raise ValueError("the two sides do not hold the same pairs of systems")
    sides = list(zip(names, reference, other, strict=True))
    classes = [(class_of(a, b), name) for name, a, b in sides]
    return PairChanges(
        pairs={wanted: tuple(name for found, name in classes if found == wanted) for wanted in CLASSES},
        lost=tuple(name for name, a, b in sides if a.is_significant and not b.is_significant),
        found=tuple(name for name, a, b in sides if b.is_significant and not a.is_significant),
    )


def class_of(reference: SystemPair, other: SystemPair) -> Class:
    """The class of one pair of systems."""
    is_opposite = reference.difference * other.difference < 0
    match reference.is_significant + other.is_significant:
        case 2:
            return "AD" if is_opposite else "AA"
        case 1:
            return "MD" if is_opposite else "MA"
    return "PD" if is_opposite else "PA"
