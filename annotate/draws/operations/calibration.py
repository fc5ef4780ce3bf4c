"""Reference pairs put in front of people again, blind: how far they have drifted from the reference's assessors."""

from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from annotate.draws.operations import changes, draws
from annotate.draws.queries import pair_draws
from annotate.grades import ratings
from annotate.models import Collection, Pair, PairDraw, User
from annotate.pairs import pair_rows, pair_states, refresh
from annotate.rules import drawing

NONE_MIXED_IN = "No reference pairs are mixed in."
MOST = refresh.AT_ONCE
UNDONE = Q(is_calibration=True, counted__lt=F("target"))


def draw_calibration(*, collection: Collection, number: int, seed: int, by: User | None, now: datetime) -> PairDraw:
    """Mix `number` pairs of each reference grade, or all there are, into the queue; a new draw ends the one before.

    Raises BadValue and CannotDraw.
    """
    drawing.check_seed(seed)
    found = pair_draws.list_candidates(collection)
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
    _mark(collection, set())
    draw = pair_draws.calibration_in_force(Collection.objects.select_for_update(no_key=True).get(pk=collection.pk))
    if draw is None:
        raise drawing.CannotDraw(NONE_MIXED_IN)
    draw.ended_at = now
    draw.save(update_fields=["ended_at"])
    return draw


@transaction.atomic
def _begin(draw: PairDraw, ids: set[int]) -> None:
    """The pairs are locked before the collection, as by those who judge."""
    marked = _mark(draw.collection, ids)
    if not all(pair.is_pooled and pair.is_reference_closed and not pair.is_withdrawn for pair in marked):
        raise drawing.CannotDraw("Grades or the pool changed just now: draw again.")
    locked = draws.lock_collection(draw.collection)
    if earlier := pair_draws.calibration_in_force(locked):
        earlier.ended_at = draw.created_at
        earlier.save(update_fields=["ended_at"])
    if locked.pair_draw:
        draws.mix_calibration_in(locked, locked.pair_draw.size, draw.seed or 0)
    draw.frame_version = locked.frame_version
    draw.save()


def _mark(collection: Collection, ids: set[int]) -> list[Pair]:
    """Let exactly these pairs, and those judged already, be calibration pairs; returns the rows of these."""
    rows = Pair.objects.select_for_update(no_key=True).filter(UNDONE | Q(pk__in=ids), collection=collection)
    locked = list(rows.order_by(*pair_states.LOCK_ORDER))
    for pair in locked:
        pair.is_calibration = pair.pk in ids
    pair_rows.store_columns(locked, ["is_calibration"])
    changes.refresh_in_batches(collection, locked)
    return [pair for pair in locked if pair.is_calibration]
