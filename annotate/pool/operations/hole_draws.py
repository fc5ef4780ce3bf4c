"""Drawing synthetic holes and taking them back. The researcher knows the dropped grades, nobody who judges does."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from annotate.grades import ratings
from annotate.models import Collection, HoleDraw, Rater, ReferenceGrade, User
from annotate.pairs import refresh
from annotate.rules import drawing

BATCH = 2000
SEEDS = range(-(2**63), 2**63)  # what the database holds


class CannotDraw(Exception):
    """Why no holes can be drawn."""


class BadValue(CannotDraw):
    """A fraction, grade or seed that can never be drawn with."""


def draw_holes(
    *, collection: Collection, fraction: float, chosen: list[int], seed: int, by: User | None, now: datetime
) -> HoleDraw:
    """Drop floor(n * fraction) of the n grades of each chosen grade of the reference rater.

    The grades are dropped together; the pairs of a large collection become holes in the background. Raises BadValue
    for grades off the scale and such, CannotDraw without a reference rater, with a draw in force, with nothing to drop.
    """
    _check(collection, fraction, chosen, seed)
    rater = _reference(collection)
    _check_no_draw(rater)
    read = ratings.reference_revision(rater)
    holes = drawing.draw_holes(ratings.reference_grades(rater), chosen=chosen, fraction=fraction, seed=seed)
    if not holes:
        raise CannotDraw("This fraction of these grades is less than one grade: nothing to drop.")
    columns = ("pk", "pair__topic__query_id", "pair__passage_id")
    grade_ids = [pk for pk, *pair in _grades(rater).values_list(*columns) if tuple(pair) in holes]
    draw = HoleDraw(
        collection=collection,
        rater=rater,
        fraction=fraction,
        grades=sorted(set(chosen)),
        seed=seed,
        dropped=len(grade_ids),
        created_at=now,
        created_by=by,
    )
    _drop(draw, grade_ids, read)
    return draw


@transaction.atomic
def undo_draw(*, collection: Collection, by: User | None = None, now: datetime) -> HoleDraw:
    """Bring the dropped grades of the draw in force back; what was judged meanwhile is kept. Raises CannotDraw."""
    held = refresh.hold_pairs(collection)
    draw = HoleDraw.objects.select_for_update().filter(collection=collection, undone_at=None).first()
    if draw is None:
        raise CannotDraw("No synthetic holes are drawn.")
    draw.dropped_grades.update(dropped_by=None)
    draw.undone_at = now
    draw.save(update_fields=["undone_at"])
    _raise_frame(collection)
    refresh.follow_change(collection=collection, held=held, subject="pairs after the end of the draw", by=by, now=now)
    return draw


def _reference(collection: Collection) -> Rater:
    if collection.reference_rater is None:
        raise CannotDraw("The collection has no reference rater: import its qrels first.")
    return collection.reference_rater


def _check_no_draw(rater: Rater) -> None:
    if HoleDraw.objects.filter(rater=rater, undone_at=None).exists():
        raise CannotDraw("Synthetic holes are drawn already. Take that draw back first.")


def _check(collection: Collection, fraction: float, chosen: list[int], seed: int) -> None:
    off = [grade for grade in chosen if grade not in collection.scale]
    if off or not chosen:
        raise BadValue(f"Choose grades of the scale {collection.scale}; these are off it: {off or 'none chosen'}.")
    if not 0 < fraction <= 1:
        raise BadValue("The fraction to drop is above 0 and at most 1.")
    if seed not in SEEDS:
        raise BadValue("The seed is a whole number of at most 63 bits.")


@transaction.atomic
def _drop(draw: HoleDraw, grade_ids: list[int], read: dict[str, int | None]) -> None:
    """Store the draw that was worked out without a lock, unless what it was worked out from changed meanwhile."""
    collection = draw.collection
    held = refresh.hold_pairs(collection)
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    _check_no_draw(draw.rater)
    if ratings.reference_revision(draw.rater) != read:
        raise CannotDraw(f"Grades of {draw.rater.name} came or went just now: draw again.")
    draw.save()
    for start in range(0, len(grade_ids), BATCH):
        ReferenceGrade.objects.filter(pk__in=grade_ids[start : start + BATCH]).update(dropped_by=draw)
    _raise_frame(collection)
    subject = "pairs after the draw of holes"
    refresh.follow_change(collection=collection, held=held, subject=subject, by=draw.created_by, now=draw.created_at)


def _grades(rater: Rater) -> QuerySet[ReferenceGrade]:
    return ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED")


def _raise_frame(collection: Collection) -> None:
    """A change of the holes changes the frame that pairs are drawn from."""
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
