"""Building the pool: the top ranks of the pooled runs, what the reference judged, and what was added by hand.

What a run ranks for a query variant is pooled for the topic, so that a pair is judged once.
"""

import itertools
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotate.grades import rankings
from annotate.models import Collection, Pair, ReferenceGrade, Topic, User, Work, required
from annotate.pairs import pair_rows, pair_states
from annotate.rules import drawing
from annotate.work import kinds as work_kinds
from annotate.work import queue
from annotate.work.kinds import CannotGoOn, Step

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
    entries = iter(sorted(wanted.items()))
    while batch := list(itertools.islice(entries, BATCH)):
        _pool(collection, topics, dict(batch), frame)
        done += len(batch)
        work_kinds.let_others_write()
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
    rows = pair_rows.ensure_rows(collection=collection, named=[(topics[query_id], name) for query_id, name in batch])
    locked = {p.pk: p for p in pair_states.lock_pairs([row.pk for row in rows])}
    changed = []
    for row, best_rank in zip(rows, batch.values(), strict=True):
        pair = locked[row.pk]
        if not pair.is_pooled:
            pair.frame_version = frame
        if (pair.is_pooled, pair.best_rank) != (True, best_rank):
            pair.is_pooled, pair.best_rank = True, best_rank
            changed.append(pair)
    pair_rows.store_columns(changed, ["is_pooled", "best_rank", "frame_version"])
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
            pair_rows.store_columns(leaving, ["is_pooled", "best_rank"])
            pair_states.refresh(collection=collection, pairs=leaving)
        work_kinds.let_others_write()
        yield Step(total, total)
