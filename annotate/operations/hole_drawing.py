"""Drawing synthetic holes and taking them back. The researcher knows the dropped grades, nobody who judges does."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotate.models import Collection, HoleDraw, Pair, Rater, ReferenceGrade, User
from annotate.operations import pair_states
from annotate.queries import ratings
from annotate.rules import hole_drawing

BATCH = 2000


class CannotDraw(Exception):
    """Why no holes can be drawn."""


@transaction.atomic
def draw_holes(
    *, collection: Collection, fraction: float, chosen: list[int], seed: int, by: User | None, now: datetime
) -> HoleDraw:
    """Drop floor(n * fraction) of the n grades of each chosen grade of the reference rater.

    Raises CannotDraw without a reference rater, with a draw in force, for grades off the scale, with nothing to drop.
    """
    rater = _reference(collection)
    if HoleDraw.objects.filter(rater=rater, undone_at=None).exists():
        raise CannotDraw("Synthetic holes are drawn already. Take that draw back first.")
    off = [grade for grade in chosen if grade not in collection.scale]
    if off or not chosen:
        raise CannotDraw(f"Choose grades of the scale {collection.scale}; these are off it: {off or 'none chosen'}.")
    if not 0 < fraction <= 1:
        raise CannotDraw("The fraction to drop is above 0 and at most 1.")
    holes = hole_drawing.draw(ratings.reference_grades(rater), chosen=chosen, fraction=fraction, seed=seed)
    if not holes:
        raise CannotDraw("This fraction of these grades is less than one grade: nothing to drop.")
    draw = HoleDraw.objects.create(
        collection=collection,
        rater=rater,
        fraction=fraction,
        grades=sorted(set(chosen)),
        seed=seed,
        dropped=len(holes),
        created_at=now,
        created_by=by,
    )
    _drop(collection, rater, draw, holes)
    return draw


@transaction.atomic
def undo_draw(*, collection: Collection, now: datetime) -> HoleDraw:
    """Bring the dropped grades of the draw in force back; what was judged meanwhile is kept. Raises CannotDraw."""
    draw = HoleDraw.objects.select_for_update().filter(collection=collection, undone_at=None).first()
    if draw is None:
        raise CannotDraw("No synthetic holes are drawn.")
    pair_ids = list(draw.dropped_grades.values_list("pair", flat=True))
    draw.dropped_grades.update(dropped_by=None)
    draw.undone_at = now
    draw.save(update_fields=["undone_at"])
    _refresh(collection, pair_ids)
    return draw


def _reference(collection: Collection) -> Rater:
    if collection.reference_rater is None:
        raise CannotDraw("The collection has no reference rater: import its qrels first.")
    return collection.reference_rater


def _drop(collection: Collection, rater: Rater, draw: HoleDraw, holes: set[tuple[str, str]]) -> None:
    rows = ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED").values_list(
        "pk", "pair", "pair__topic__query_id", "pair__passage_id"
    )
    dropped = [(pk, pair) for pk, pair, query_id, passage_id in rows if (query_id, passage_id) in holes]
    for start in range(0, len(dropped), BATCH):
        part = [pk for pk, _ in dropped[start : start + BATCH]]
        ReferenceGrade.objects.filter(pk__in=part).update(dropped_by=draw)
    _refresh(collection, [pair for _, pair in dropped])


def _refresh(collection: Collection, pair_ids: list[int]) -> None:
    """A change of the holes changes the frame that pairs are drawn from."""
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
    for start in range(0, len(pair_ids), BATCH):
        part = pair_ids[start : start + BATCH]
        locked = list(Pair.objects.select_for_update().filter(pk__in=part).order_by("pk"))
        pair_states.refresh(collection=collection, pairs=locked)
