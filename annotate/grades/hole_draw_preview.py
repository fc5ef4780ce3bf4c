"""What a draw of synthetic holes would drop, before anything is dropped; and the draw in force."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.grades import ratings
from annotate.models import Collection, HoleDraw
from annotate.rules import hole_drawing


@dataclass(frozen=True)
class GradeLoss:
    """Of `known` grades of one value `dropped` would become holes."""

    grade: int
    known: int
    dropped: int


def in_force(collection: Collection) -> HoleDraw | None:
    draws = HoleDraw.objects.filter(collection=collection, undone_at=None).select_related("rater", "created_by")
    return draws.first()


def of(collection: Collection, *, fraction: float, chosen: Sequence[int], seed: int) -> list[GradeLoss]:
    """By grade of the scale, what the reference rater has in force and what of it the draw would drop."""
    if collection.reference_rater is None:
        return []
    grades = ratings.reference_grades(collection.reference_rater)
    holes = hole_drawing.draw(grades, chosen=chosen, fraction=fraction, seed=seed)
    known, dropped = Counter(grades.values()), Counter(grades[pair] for pair in holes)
    return [GradeLoss(grade, known[grade], dropped[grade]) for grade in collection.scale.grades]
