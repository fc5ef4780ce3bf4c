"""Building the pool: the top ranks of the pooled runs, what the reference judged, and what was added by hand.

What a run ranks for a query variant is pooled for the topic, so that a pair is judged once."""

from collections.abc import Container, Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from annotate.formats import records
from annotate.grades import rankings, ratings
from annotate.models import Collection, HoleDraw, Pair, Rater, ReferenceGrade, Topic, User, Work, required
from annotate.own_judges.operations import training
from annotate.pairs import pair_states, refresh
from annotate.rules import drawing
from annotate.work import queue
from annotate.work.queue import CannotGoOn, Step

BUILD = "pool"
BATCH = 500


@transaction.atomic
def request_pool(*, collection: Collection, depth: int, by: User | None, now: datetime) -> Work:
    """Queue the building of the pool to a depth of 1 or more."""
    if depth < 1:
        raise ValueError("The depth of a pool is at least 1.")
    Collection.objects.filter(pk=collection.pk).update(pool_depth=depth)
    return queue.enqueue(
        collection=collection,
        kind=BUILD,
        queue=queue.FACTS,
        subject=f"pool to depth {depth}",
        arguments={"depth": depth},
        by=by,
        now=now,
    )


def run(work: Work) -> Iterator[Step]:
    """Pool in batches. Pairs that only a deeper pool had, or a withdrawn run, leave it; their judgments are kept."""
    collection = required(work.collection)
    wanted = _wanted(collection, work.arguments["depth"])
    if not wanted:
        raise CannotGoOn("There is nothing to pool: import runs or qrels first.")
    frame = _frame(collection, wanted)
    topics = {t.query_id: t for t in Topic.objects.published().filter(collection=collection)}
    done = 0
    for batch in records.split(sorted(wanted.items()), BATCH):
        _pool(collection, topics, dict(batch), frame)
        done += len(batch)
        queue.let_others_write()
        yield Step(done, len(wanted))
    yield from _leave(collection, wanted, len(wanted))


def _wanted(collection: Collection, depth: int) -> dict[tuple[str, str], int | None]:
    """Pairs of the pool with their best rank; None for what only the reference judged, or a person added."""
    known = set(Topic.objects.published().filter(collection=collection).values_list("query_id", flat=True))
    judged = ReferenceGrade.objects.filter(rater=collection.reference_rater_id, source__state="PUBLISHED").values_list(
        "pair__topic__query_id", "pair__passage_id"
    )
    added = Pair.objects.filter(collection=collection, is_added=True, topic__query_id__in=known)
    wanted: dict[tuple[str, str], int | None] = dict.fromkeys(judged)
    wanted.update(dict.fromkeys(added.values_list("topic__query_id", "passage_id")))
    wanted.update(drawing.pool_runs(_tops(collection, depth, known), depth))
    return wanted


def _tops(collection: Collection, depth: int, known: set[str]) -> Iterator[dict[str, list[str]]]:
    yield from rankings.load_tops(collection, depth, known, pooled_only=True)
    yield from rankings.load_variant_tops(collection, depth, rankings.variant_topics(collection), pooled_only=True)


@transaction.atomic
def _frame(collection: Collection, wanted: dict[tuple[str, str], int | None]) -> int:
    """The next frame where pairs enter or leave the pool, else the present one."""
    pooled = Pair.objects.filter(collection=collection, is_pooled=True)
    if set(pooled.values_list("topic__query_id", "passage_id")) == wanted.keys():
        return collection.frame_version
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
    collection.refresh_from_db(fields=["frame_version"])
    return collection.frame_version


@transaction.atomic
def _pool(
    collection: Collection, topics: dict[str, Topic], batch: dict[tuple[str, str], int | None], frame: int
) -> None:
    rows = pair_states.ensure_rows(collection=collection, named=[(topics[query_id], name) for query_id, name in batch])
    locked = {p.pk: p for p in pair_states.lock_pairs([row.pk for row in rows])}
    changed = []
    for row, best_rank in zip(rows, batch.values(), strict=True):
        pair = locked[row.pk]
        if not pair.is_pooled:
            pair.frame_version = frame
        if (pair.is_pooled, pair.best_rank) != (True, best_rank):
            pair.is_pooled, pair.best_rank = True, best_rank
            changed.append(pair)
    pair_states.store_columns(changed, ["is_pooled", "best_rank", "frame_version"])
    pair_states.refresh(collection=collection, pairs=list(locked.values()))


def _leave(collection: Collection, wanted: dict[tuple[str, str], int | None], total: int) -> Iterator[Step]:
    """Take out of the pool what it no longer holds."""
    last = 0
    pooled = Pair.objects.filter(collection=collection, is_pooled=True).select_related("topic").order_by("pk")
    while batch := list(pooled.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        gone = [pair.pk for pair in batch if (pair.topic.query_id, pair.passage_id) not in wanted]
        with transaction.atomic():
            leaving = pair_states.lock_pairs(gone)
            for pair in leaving:
                pair.is_pooled, pair.best_rank = False, None
            pair_states.store_columns(leaving, ["is_pooled", "best_rank"])
            pair_states.refresh(collection=collection, pairs=leaving)
        queue.let_others_write()
        yield Step(total, total)


HOLES_AT_ONCE = 2000
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
    _drop(draw, grade_ids, holes, read)
    return draw


@transaction.atomic
def undo_draw(*, collection: Collection, by: User | None = None, now: datetime) -> HoleDraw:
    """Bring the dropped grades of the draw in force back; what was judged meanwhile is kept. Raises CannotDraw."""
    held = refresh.hold_pairs(collection)
    draw = HoleDraw.objects.select_for_update().filter(collection=collection, undone_at=None).first()
    if draw is None:
        raise CannotDraw("No synthetic holes are drawn.")
    draw.dropped_grades.update(dropped_by=None)
    Rater.objects.filter(held_out_by=draw).update(held_out_by=None)
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
def _drop(draw: HoleDraw, grade_ids: list[int], holes: Container[ratings.PairId], read: dict[str, int | None]) -> None:
    """Store the draw that was worked out without a lock, unless what it was worked out from changed meanwhile. Judges
    that learned from what is held out are marked."""
    collection = draw.collection
    held = refresh.hold_pairs(collection)
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    _check_no_draw(draw.rater)
    if ratings.reference_revision(draw.rater) != read:
        raise CannotDraw(f"Grades of {draw.rater.name} came or went just now: draw again.")
    draw.save()
    for start in range(0, len(grade_ids), HOLES_AT_ONCE):
        ReferenceGrade.objects.filter(pk__in=grade_ids[start : start + HOLES_AT_ONCE]).update(dropped_by=draw)
    taught = training.list_taught_by(collection, holes)
    Rater.objects.filter(pk__in=[model.pk for model in taught]).update(held_out_by=draw)
    _raise_frame(collection)
    subject = "pairs after the draw of holes"
    refresh.follow_change(collection=collection, held=held, subject=subject, by=draw.created_by, now=draw.created_at)


def _grades(rater: Rater) -> QuerySet[ReferenceGrade]:
    return ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED")


def _raise_frame(collection: Collection) -> None:
    """A change of the holes changes the frame that pairs are drawn from."""
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
