"""Putting pairs into the pool by hand, also while people judge. They stay whatever the runs retrieve."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from annotate.draws.operations import named_pairs
from annotate.formats.named_pairs import NamedPair
from annotate.models import Collection, Pair
from annotate.pairs.operations import pair_columns, pair_states, pairs
from annotate.pairs.operations import refresh as pairs_refresh

MOST = pairs_refresh.AT_ONCE


class TooMany(ValueError):
    """More pairs than can be changed at once."""


@dataclass(frozen=True)
class Added:
    """`pooled`: new in the pool. `there`: pooled before. `settled`: of all, graded by the reference, so not asked."""

    pooled: int
    there: int
    settled: int


def add(*, collection: Collection, named: Sequence[NamedPair]) -> Added:
    """Put the named pairs into the pool; those that are there stay from now on, even if the runs lose them.

    All or nothing: raises TooMany, and FileRefused for unknown topics, passages without a text and withdrawn pairs.
    """
    check_number(named)
    known = named_pairs.look_up(collection, named)
    named_pairs.check(named, known.fault)
    with transaction.atomic():
        rows = []
        for part in named_pairs.parts(named):
            wanted = [(known.topics[pair.query_id], pair.passage_id) for pair in part]
            rows += pairs.ensure(collection=collection, named=wanted)
        return _enter(collection, [row.pk for row in rows])


def check_number(named: Sequence[NamedPair]) -> None:
    if len(named) > MOST:
        raise TooMany(f"At most {MOST:,} pairs are changed at once, so that nobody waits; send them in parts.")


def _enter(collection: Collection, ids: list[int]) -> Added:
    """The pairs are locked before the collection, as by those who judge."""
    locked = pair_states.locked(ids)
    new = [pair for pair in locked if not pair.is_pooled]
    if new:
        frame = raise_frame(collection)
        for pair in new:
            pair.is_pooled, pair.frame_version = True, frame
    for pair in locked:
        pair.is_added = True
    pair_columns.store(locked, ["is_pooled", "is_added", "frame_version"])
    refresh(collection, locked)
    return Added(len(new), len(locked) - len(new), sum(pair.is_reference_closed for pair in locked))


def raise_frame(collection: Collection) -> int:
    """The number of the next frame of pairs. Call after the pairs are locked."""
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
    return Collection.objects.values_list("frame_version", flat=True).get(pk=collection.pk)


def refresh(collection: Collection, locked: list[Pair]) -> None:
    """Bring the states of locked pairs in line, in batches."""
    for start in range(0, len(locked), pairs_refresh.BATCH):
        pair_states.refresh(collection=collection, pairs=locked[start : start + pairs_refresh.BATCH])
