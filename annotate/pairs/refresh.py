"""Bringing all pairs in line with a change that all of them follow: few at once, many in the background.

The change itself is stored at once. A pair that is judged before its batch comes follows it then already."""

from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet

from annotate.formats import records
from annotate.models import Claim, Collection, Membership, Pair, User, Work
from annotate.pairs import pair_states
from annotate.rules import drawing
from annotate.work import queue
from annotate.work.queue import Step

REFRESH = "refresh"
BATCH = 250
# So many hold SQLite's write lock for about half a second.
AT_ONCE = 2_000


def hold_pairs(collection: Collection) -> list[Pair] | None:
    """The locked pairs, or None for a collection that has too many to follow at once.

    Call it before the change and in its transaction: who judges locks a pair first and the collection after it.
    """
    found = list(_locked(collection.pairs.all())[: AT_ONCE + 1])
    return found if len(found) <= AT_ONCE else None


def follow_change(
    *, collection: Collection, held: list[Pair] | None, subject: str, by: User | None, now: datetime
) -> None:
    """Bring the held pairs in line now, or queue the work that does so with all pairs."""
    if held is not None:
        _bring(collection, held)
        return
    queue.enqueue(collection=collection, kind=REFRESH, queue=queue.FACTS, subject=subject, arguments={}, by=by, now=now)


def unfinished_work(collection: Collection) -> Work | None:
    """The last queued work of this kind that is not over: once it is, all pairs follow."""
    going_on = Work.objects.filter(collection=collection, kind=REFRESH)
    return going_on.filter(state__in=[Work.State.QUEUED, Work.State.RUNNING]).order_by("created_at", "pk").last()


def run(work: Work) -> Iterator[Step]:
    """Batch by batch in the order of the row ids; the cursor is the last one and how many are done."""
    assert work.collection is not None
    total = Pair.objects.filter(collection=work.collection).count()
    last, done = work.cursor or (0, 0)
    while batch := _next(work.collection, last):
        last, done = max(pair.pk for pair in batch), done + len(batch)
        queue.let_others_write()
        yield Step(done, total, cursor=[last, done])


@transaction.atomic
def _next(collection: Collection, last: int) -> list[Pair]:
    ids = collection.pairs.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]
    batch = list(_locked(Pair.objects.filter(pk__in=list(ids))))
    _bring(collection, batch)
    return batch


def _locked(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    return pairs.select_for_update(of=("self",), no_key=True).select_related("topic").order_by(*pair_states.LOCK_ORDER)


def _bring(collection: Collection, pairs: list[Pair]) -> None:
    # As it is now: the settings may have changed again since the work was queued.
    now = Collection.objects.get(pk=collection.pk)
    for batch in records.split(pairs, BATCH):
        _reorder(now, batch)
        pair_states.refresh(collection=now, pairs=batch)


def _reorder(collection: Collection, batch: list[Pair]) -> None:
    if collection.order in drawing.DRAWN:
        return  # the draw wrote the keys
    moved = []
    for pair in batch:
        key = drawing.order_key(collection.order, collection.seed, pair.topic.query_id, pair.passage_id)
        if pair.order_key != key:
            pair.order_key = key
            moved.append(pair)
    if moved:
        pair_states.store_columns(moved, ["order_key"])


@transaction.atomic
def release_claims(*, assessor: Membership, now: datetime) -> None:
    """Free what an assessor holds, for one who leaves."""
    held = Membership.objects.held().get(pk=assessor.pk)
    end_claims(Claim.objects.filter(assessor=held, state=Claim.State.OPEN), now)


def end_claims(claims: QuerySet[Claim], now: datetime) -> None:
    """Close open claims and give their places back; what somebody is about to judge or end at this moment is left.
    Call in a transaction."""
    locked = claims.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked, no_key=True)
    ended = list(locked)
    if ended:
        Claim.objects.filter(pk__in=[claim.pk for claim in ended]).update(state=Claim.State.EXPIRED, closed_at=now)
        pairs = pair_states.lock_pairs([claim.pair_id for claim in ended])
        pair_states.refresh(collection=ended[0].collection, pairs=pairs, is_reference_known=True)
