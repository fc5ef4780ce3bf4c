"""An order by influence: evaluation works out how much each hole matters, judging reads one column."""

import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import transaction

from annotate.draws.operations import drawn_orders
from annotate.models import Collection, Pair, PairDraw, User
from annotate.pairs.operations import refresh
from annotate.rules import ordering, prioritising
from annotate.work import steps
from annotate.work.steps import Step

BATCH = 500


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
    (`rules.ordering.by_value` makes them of influences); pairs without a key come behind.

    For background work, which hands the steps on: the order is in force from the first step, so that no judgment of
    the time in between is taken for one of a random order, and the keys are written in short batches. The same design
    again, as after a crash, goes on with the same draw. `design` says what the keys were computed from;
    `is_weighted` that a model's probabilities went into them: raises NotAllowed where somebody grades blind.
    """
    draw = _begin(collection, len(keys), {**design, "is_weighted": is_weighted}, by, now)
    yield Step(0, len(keys), note="writing the order")
    rows = iter(_ids(collection))
    done = 0
    while batch := list(itertools.islice(rows, BATCH)):
        drawn_orders.write_keys({pk: _key(draw, keys, pair) for pk, pair in batch})
        done += len(batch)
        steps.let_others_write()
        yield Step(min(done, len(keys)), len(keys), note="writing the order")
    drawn_orders.mix_calibration_in(collection, len(keys), draw.seed)


@transaction.atomic
def _begin(collection: Collection, size: int, design: dict[str, object], by: User | None, now: datetime) -> PairDraw:
    """A draw before it may have asked about some pairs only: then all are brought in line, pairs locked first."""
    held = refresh.hold(collection)
    drawn_orders.unmark(collection)
    locked = (
        Collection.objects.select_for_update(of=("self",), no_key=True)
        .select_related("pair_draw")
        .get(pk=collection.pk)
    )
    if design["is_weighted"]:
        shares = {"HIDDEN": locked.share_hidden, "SHOWN": locked.share_shown, "REVEAL": locked.share_reveal}
        prioritising.check_weighting(shares)
    if locked.order == ordering.INFLUENCE and locked.pair_draw.design == design:
        return locked.pair_draw
    draw = PairDraw(
        collection=locked,
        kind=PairDraw.Kind.INFLUENCE,
        seed=locked.seed,
        size=size,
        design=design,
        created_at=now,
        created_by=by,
    )
    drawn_orders.put_in_force(locked, draw)
    drawn_orders.follow(locked, held is not None, by, now)
    return draw


def _ids(collection: Collection) -> list[tuple[int, tuple[str, str]]]:
    rows = Pair.objects.filter(collection=collection).order_by("pk")
    return [(pk, (q, p)) for pk, q, p in rows.values_list("pk", "topic__query_id", "passage_id")]


def _key(draw: PairDraw, keys: Mapping[tuple[str, str], int], pair: tuple[str, str]) -> int:
    key = keys.get(pair)
    return ordering.order_key(draw.kind, draw.seed or 0, *pair) if key is None else key
