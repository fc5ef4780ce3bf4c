"""A draw becomes the order of its collection, and ends: which pairs people judge, or in which order."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Collection, Pair, PairDraw, User
from annotate.pairs.operations import pair_columns, pair_states, refresh
from annotate.rules import drawing, ordering


@transaction.atomic
def begin(*, draw: PairDraw, places: Mapping[int, int], check: Callable[[Collection], None]) -> None:
    """Store a draw of SAMPLE or LIST and let people judge exactly its pairs: `places` is row id -> place, from 0.

    `check` raises where what the draw was worked out from changed meanwhile. Pairs are locked before the collection,
    as by those who judge. The other pairs of a large collection are asked for until the background work has come to
    them; a judgment is of the draw only where the draw's design names its pair.
    """
    collection = draw.collection
    held = refresh.hold(collection)
    unmark(collection)
    _mark(places)
    mix_calibration_in(collection, len(places), draw.seed or 0)
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    check(locked)
    put_in_force(locked, draw)
    follow(locked, held is not None, draw.created_by, draw.created_at)


@transaction.atomic
def end(*, collection: Collection, by: User | None, now: datetime, order: str = ordering.TOPIC) -> PairDraw:
    """End the draw in force; all holes are wanted again, in an order that the seed fixes. Raises CannotDraw."""
    held = refresh.hold(collection)
    unmark(collection)
    locked = (
        Collection.objects.select_for_update(of=("self",), no_key=True)
        .select_related("pair_draw")
        .get(pk=collection.pk)
    )
    if (ended := locked.pair_draw) is None:
        raise drawing.CannotDraw("No sample, list or order by influence is in force.")
    ended.ended_at = now
    ended.save(update_fields=["ended_at"])
    locked.order, locked.pair_draw = order, None
    locked.save(update_fields=["order", "pair_draw"])
    follow(locked, held is not None, by, now)
    return ended


def put_in_force(locked: Collection, draw: PairDraw) -> None:
    """Store the draw as the order of the locked collection; the one before it ends. Call in a transaction."""
    draw.frame_version = locked.frame_version
    draw.save()
    PairDraw.objects.filter(pk=locked.pair_draw_id).update(ended_at=draw.created_at)
    locked.order, locked.pair_draw = draw.kind, draw
    locked.save(update_fields=["order", "pair_draw"])


def unmark(collection: Collection) -> None:
    """Let no pair be of the sample or list that was in force."""
    drawn = Pair.objects.filter(collection=collection, is_drawn=True)
    drawn.filter(pk__in=_locked(drawn)).update(is_drawn=False)


def mix_calibration_in(collection: Collection, places: int, seed: int) -> None:
    """Scatter the calibration pairs among the places of a draw: at its end they would be told from the others."""
    rows = Pair.objects.filter(collection=collection, is_calibration=True)
    ids = {(query_id, name): pk for pk, query_id, name in rows.values_list("pk", "topic__query_id", "passage_id")}
    keys = ordering.mixed_in(ids, places, seed)
    write_keys({ids[pair]: key for pair, key in keys.items()})


@transaction.atomic
def write_keys(keys: Mapping[int, int]) -> None:
    """Give pairs, by row id, their places in the order."""
    ids = _locked(Pair.objects.filter(pk__in=keys))
    pair_columns.write(["order_key"], [(keys[pk], pk) for pk in ids])


def _mark(places: Mapping[int, int]) -> None:
    ids = _locked(Pair.objects.filter(pk__in=places))
    pair_columns.write(["is_drawn", "order_key"], [(True, places[pk], pk) for pk in ids])


def _locked(rows: QuerySet[Pair]) -> list[int]:
    """The ids of the rows, locked in the order in which everybody locks pairs."""
    return [pair.pk for pair in rows.select_for_update(no_key=True).only("pk").order_by(*pair_states.LOCK_ORDER)]


def follow(locked: Collection, is_held: bool, by: User | None, now: datetime) -> None:
    """The rows are read anew, with the marks that they have by now."""
    held = refresh.hold(locked) if is_held else None
    subject = "pairs after the change of their order"
    refresh.follow(collection=locked, held=held, subject=subject, by=by, now=now)
