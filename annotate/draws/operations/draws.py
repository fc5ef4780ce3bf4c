"""Drawing the pairs that people judge: lists, orders, samples, calibration pairs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotate.draws import queries as draws_queries
from annotate.draws.operations import changes
from annotate.draws.queries import Plan
from annotate.formats import named_pairs, records
from annotate.formats.named_pairs import NamedPair
from annotate.grades import ratings
from annotate.models import Collection, Pair, PairDraw, User
from annotate.pairs import pair_states, refresh
from annotate.rules import drawing, permissions
from annotate.work import queue
from annotate.work.queue import Step

MOST_LISTED = 10_000
KEYS_AT_ONCE = 500
NOTHING_IN_FORCE = "No sample, list or order by influence is in force."


@transaction.atomic
def begin_draw(*, draw: PairDraw, places: Mapping[int, int], check: Callable[[Collection], None]) -> None:
    """Store a draw of SAMPLE or LIST and let people judge exactly its pairs: `places` is row id -> place, from 0.

    `check` raises where what the draw was worked out from changed meanwhile. Pairs are locked before the collection,
    as by those who judge. The other pairs of a large collection are asked for until the background work has come to
    them; a judgment is of the draw only where the draw's design names its pair.
    """
    collection = draw.collection
    held = refresh.hold_pairs(collection)
    unmark_drawn(collection)
    _mark(places)
    mix_calibration_in(collection, len(places), draw.seed or 0)
    locked = lock_collection(collection)
    check(locked)
    put_in_force(locked, draw)
    follow_order(locked, held is not None, draw.created_by, draw.created_at)


@transaction.atomic
def end_draw(*, collection: Collection, by: User | None, now: datetime, order: str = drawing.TOPIC) -> PairDraw:
    """End the draw in force; all holes are wanted again, in an order that the seed fixes. Raises CannotDraw."""
    held = refresh.hold_pairs(collection)
    unmark_drawn(collection)
    locked = lock_collection(collection)
    if (ended := locked.pair_draw) is None:
        raise drawing.CannotDraw(NOTHING_IN_FORCE)
    ended.ended_at = now
    ended.save(update_fields=["ended_at"])
    locked.order, locked.pair_draw = order, None
    locked.save(update_fields=["order", "pair_draw"])
    follow_order(locked, held is not None, by, now)
    return ended


def lock_collection(collection: Collection) -> Collection:
    """The row as it is now with the draw in force, locked to the transaction's end. Call after pairs are locked."""
    rows = Collection.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("pair_draw").get(pk=collection.pk)


def put_in_force(locked: Collection, draw: PairDraw) -> None:
    """Store the draw as the order of the locked collection; the one before it ends. Call in a transaction."""
    draw.frame_version = locked.frame_version
    draw.save()
    if locked.pair_draw_id:
        PairDraw.objects.filter(pk=locked.pair_draw_id).update(ended_at=draw.created_at)
    locked.order, locked.pair_draw = draw.kind, draw
    locked.save(update_fields=["order", "pair_draw"])


def unmark_drawn(collection: Collection) -> None:
    """Let no pair be of the sample or list that was in force."""
    drawn = Pair.objects.filter(collection=collection, is_drawn=True)
    drawn.filter(pk__in=_locked(drawn)).update(is_drawn=False)


def mix_calibration_in(collection: Collection, places: int, seed: int) -> None:
    """Scatter the calibration pairs among the places of a draw: at its end they would stand out."""
    rows = Pair.objects.filter(collection=collection, is_calibration=True)
    ids = {(query_id, name): pk for pk, query_id, name in rows.values_list("pk", "topic__query_id", "passage_id")}
    keys = drawing.scatter_pairs(ids, places, seed)
    write_order_keys({ids[pair]: key for pair, key in keys.items()})


@transaction.atomic
def write_order_keys(keys: Mapping[int, int]) -> None:
    """Give pairs, by row id, their places in the order."""
    ids = _locked(Pair.objects.filter(pk__in=keys))
    pair_states.write_columns(["order_key"], [(keys[pk], pk) for pk in ids])


def _mark(places: Mapping[int, int]) -> None:
    ids = _locked(Pair.objects.filter(pk__in=places))
    pair_states.write_columns(["is_drawn", "order_key"], [(True, places[pk], pk) for pk in ids])


def _locked(rows: QuerySet[Pair]) -> list[int]:
    """The ids of the rows, locked in the order in which everybody locks pairs."""
    return [pair.pk for pair in rows.select_for_update(no_key=True).only("pk").order_by(*pair_states.LOCK_ORDER)]


def follow_order(locked: Collection, is_held: bool, by: User | None, now: datetime) -> None:
    """The rows are read anew, with the marks that they have by now."""
    held = refresh.hold_pairs(locked) if is_held else None
    subject = "pairs after the change of their order"
    refresh.follow_change(collection=locked, held=held, subject=subject, by=by, now=now)


def draw_sample(*, collection: Collection, plan: Plan, by: User | None, now: datetime) -> PairDraw:
    """Draw a sample, record its design, and let people judge exactly its pairs. A new one ends the one before it.

    It is drawn before anybody judges its pairs: that makes intervals from mixed grades valid. Judgments of earlier
    draws stay as they are. Raises BadValue and CannotDraw.
    """
    collection = Collection.objects.get(pk=collection.pk)  # as it is now
    read = draws_queries.read_frame_state(collection)
    sample = draws_queries.plan_sample(collection, plan)
    draw = PairDraw(
        collection=collection,
        kind=PairDraw.Kind.SAMPLE,
        seed=plan.seed,
        size=sample.size,
        design=draws_queries.describe_design(collection, sample),
        created_at=now,
        created_by=by,
    )

    def check(locked: Collection) -> None:
        if draws_queries.read_frame_state(locked) != read:
            raise drawing.CannotDraw("Runs, grades, texts or the pool changed just now: draw again.")

    rows = Pair.objects.filter(collection=collection, is_pooled=True).values_list("topic__query_id", "passage_id", "pk")
    ids = {(query_id, passage_id): pk for query_id, passage_id, pk in rows}
    places = {ids[pair]: place for place, pair in enumerate(sample.order)}
    begin_draw(draw=draw, places=places, check=check)
    return draw


def draw_list(*, collection: Collection, named: Sequence[NamedPair], by: User | None, now: datetime) -> PairDraw:
    """Let people judge exactly these pairs in this order (pilots, replications, hand-picked cases); those that the pool
    lacks are added to it first.

    All or nothing: refused (FileRefused) are lines with an unknown topic, a passage without a text, a pair that is
    withdrawn or that the reference graded, since nobody would be asked about it. Raises CannotDraw and TooMany.
    """
    if len(named) > MOST_LISTED:
        raise drawing.BadValue(f"A list has at most {MOST_LISTED:,} pairs.")
    _check_propagation(collection)
    known = changes.look_up_pairs(collection, named)
    changes.check_each(named, lambda pair: known.fault(pair) or _graded(known, pair))
    listed = [(pair.query_id, pair.passage_id) for pair in named]
    draw = PairDraw(
        collection=collection,
        kind=PairDraw.Kind.LIST,
        size=len(named),
        design={"digest": named_pairs.digest_pairs(listed), "pairs": listed},
        created_at=now,
        created_by=by,
    )
    missing = [pair for pair in named if pair not in known.rows or not known.rows[pair].is_pooled]
    with transaction.atomic():
        if missing:
            _hold(collection, known)
            changes.add_pairs(collection=collection, named=missing)
        rows = changes.find_rows(collection, named)
        places = {rows[pair].pk: place for place, pair in enumerate(named)}
        begin_draw(draw=draw, places=places, check=_check_propagation)
    return draw


def _hold(collection: Collection, known: changes.Known) -> None:
    """Lock all pairs that the draw will change before the collection, whose frame the pairs that are added move."""
    refresh.hold_pairs(collection)
    _locked(
        Pair.objects.filter(Q(is_drawn=True) | Q(pk__in=[row.pk for row in known.rows.values()]), collection=collection)
    )


def _graded(known: changes.Known, pair: NamedPair) -> str:
    is_closed = pair in known.rows and known.rows[pair].is_reference_closed
    return f"the reference graded {pair}; mix reference pairs in to have them judged again" if is_closed else ""


def _check_propagation(collection: Collection) -> None:
    if collection.propagates_duplicates:
        raise drawing.CannotDraw(
            "Near-duplicates are judged once here, which would leave listed pairs unjudged: switch that off first."
        )


def set_order_keys(
    *,
    collection: Collection,
    keys: Mapping[tuple[str, str], int],
    design: dict[str, object],
    is_weighted: bool = False,
    by: User | None,
    now: datetime,
) -> Iterator[Step]:
    """Let all holes be judged by these keys of (query_id, passage_id), smaller first and from 0
    (`drawing.order_by_value` makes them of influences); pairs without a key come behind.

    For background work, which hands the steps on: the order is in force from the first step, so that no judgment of
    the time in between is taken for one of a random order, and the keys are written in short batches. The same design
    again, as after a crash, goes on with the same draw. `design` says what the keys were computed from;
    `is_weighted` that a model's probabilities went into them: raises NotAllowed where somebody grades blind.
    """
    draw = _begin_influence(collection, len(keys), {**design, "is_weighted": is_weighted}, by, now)
    yield Step(0, len(keys), note="writing the order")
    done = 0
    for batch in records.split(_ids(collection), KEYS_AT_ONCE):
        write_order_keys({pk: _key(draw, keys, pair) for pk, pair in batch})
        done += len(batch)
        queue.let_others_write()
        yield Step(min(done, len(keys)), len(keys), note="writing the order")
    mix_calibration_in(collection, len(keys), draw.seed or 0)


@transaction.atomic
def _begin_influence(
    collection: Collection, size: int, design: dict[str, object], by: User | None, now: datetime
) -> PairDraw:
    """A draw before it may have asked about some pairs only: then all are brought in line, pairs locked first."""
    held = refresh.hold_pairs(collection)
    unmark_drawn(collection)
    locked = lock_collection(collection)
    if design["is_weighted"]:
        permissions.check_weighting(locked.arm_shares)
    in_force = locked.pair_draw
    if in_force and in_force.kind == PairDraw.Kind.INFLUENCE and in_force.design == design:
        return in_force
    draw = PairDraw(
        collection=locked,
        kind=PairDraw.Kind.INFLUENCE,
        seed=locked.seed,
        size=size,
        design=design,
        created_at=now,
        created_by=by,
    )
    put_in_force(locked, draw)
    follow_order(locked, held is not None, by, now)
    return draw


def _ids(collection: Collection) -> list[tuple[int, tuple[str, str]]]:
    rows = Pair.objects.filter(collection=collection).order_by("pk")
    return [(pk, (q, p)) for pk, q, p in rows.values_list("pk", "topic__query_id", "passage_id")]


def _key(draw: PairDraw, keys: Mapping[tuple[str, str], int], pair: tuple[str, str]) -> int:
    key = keys.get(pair)
    return drawing.order_key(draw.kind, draw.seed or 0, *pair) if key is None else key


NONE_MIXED_IN = "No reference pairs are mixed in."
MOST = refresh.AT_ONCE
UNDONE = Q(is_calibration=True, counted__lt=F("target"))


def draw_calibration(*, collection: Collection, number: int, seed: int, by: User | None, now: datetime) -> PairDraw:
    """Mix `number` pairs of each reference grade, or all there are, into the queue; a new draw ends the one before.

    Raises BadValue and CannotDraw.
    """
    drawing.check_seed(seed)
    found = draws_queries.list_candidates(collection)
    if not 1 <= number <= MOST // max(1, len(collection.scale.grades)):
        raise drawing.BadValue(f"Between 1 and {MOST // len(collection.scale.grades):,} pairs of each grade are taken.")
    if not found or collection.reference_rater is None:
        raise drawing.CannotDraw("The reference has no grade of a pooled pair with a text: nothing to mix in.")
    drawn = drawing.sample_each_grade({pair: grade for pair, (_, grade) in found.items()}, number, seed)
    draw = PairDraw(
        collection=collection,
        kind=PairDraw.Kind.CALIBRATION,
        seed=seed,
        size=sum(map(len, drawn.values())),
        design={
            "number": number,
            "reference": asdict(ratings.digest_reference(collection.reference_rater)),
            "grades": [
                {"grade": grade, "frame": sum(g == grade for _, g in found.values()), "pairs": pairs}
                for grade, pairs in drawn.items()
            ],
        },
        created_at=now,
        created_by=by,
    )
    _begin(draw, {found[pair][0] for pairs in drawn.values() for pair in pairs})
    return draw


@transaction.atomic
def end_calibration(*, collection: Collection, now: datetime) -> PairDraw:
    """Ask about no more of them; those that were judged stay, with their judgments. Raises CannotDraw."""
    _mark_calibration(collection, set())
    draw = draws_queries.calibration_in_force(Collection.objects.select_for_update(no_key=True).get(pk=collection.pk))
    if draw is None:
        raise drawing.CannotDraw(NONE_MIXED_IN)
    draw.ended_at = now
    draw.save(update_fields=["ended_at"])
    return draw


@transaction.atomic
def _begin(draw: PairDraw, ids: set[int]) -> None:
    """The pairs are locked before the collection, as by those who judge."""
    marked = _mark_calibration(draw.collection, ids)
    if not all(pair.is_pooled and pair.is_reference_closed and not pair.is_withdrawn for pair in marked):
        raise drawing.CannotDraw("Grades or the pool changed just now: draw again.")
    locked = lock_collection(draw.collection)
    if earlier := draws_queries.calibration_in_force(locked):
        earlier.ended_at = draw.created_at
        earlier.save(update_fields=["ended_at"])
    if locked.pair_draw:
        mix_calibration_in(locked, locked.pair_draw.size, draw.seed or 0)
    draw.frame_version = locked.frame_version
    draw.save()


def _mark_calibration(collection: Collection, ids: set[int]) -> list[Pair]:
    """Let exactly these pairs, and those judged already, be calibration pairs; returns the rows of these."""
    rows = Pair.objects.select_for_update(no_key=True).filter(UNDONE | Q(pk__in=ids), collection=collection)
    locked = list(rows.order_by(*pair_states.LOCK_ORDER))
    for pair in locked:
        pair.is_calibration = pair.pk in ids
    pair_states.store_columns(locked, ["is_calibration"])
    changes.refresh_in_batches(collection, locked)
    return [pair for pair in locked if pair.is_calibration]
