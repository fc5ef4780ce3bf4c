"""A fixed list of pairs, judged in its order: pilots, replications, hand-picked cases."""

from collections.abc import Sequence
from datetime import datetime

from annotate.draws.operations import additions, drawn_orders
from annotate.draws.operations import named_pairs as named_pairs_operations
from annotate.formats import named_pairs
from annotate.formats.named_pairs import NamedPair
from annotate.models import Collection, PairDraw, User
from annotate.rules import drawing

MOST = 10_000


def draw_list(*, collection: Collection, named: Sequence[NamedPair], by: User | None, now: datetime) -> PairDraw:
    """Let people judge exactly these pairs in this order; those that the pool lacks are added to it first.

    Nothing happens where a line is refused (FileRefused): an unknown topic, a passage without a text, a pair that is
    withdrawn or that the reference graded, since nobody would be asked about it. Raises CannotDraw and TooMany.
    """
    if len(named) > MOST:
        raise drawing.BadValue(f"A list has at most {MOST:,} pairs.")
    _check_propagation(collection)
    known = named_pairs_operations.look_up(collection, named)
    named_pairs_operations.check(named, lambda pair: known.fault(pair) or _graded(known, pair))
    if missing := [pair for pair in named if pair not in known.rows or not known.rows[pair].is_pooled]:
        additions.add(collection=collection, named=missing)
    rows = named_pairs_operations.rows(collection, named)
    listed = [(pair.query_id, pair.passage_id) for pair in named]
    draw = PairDraw(
        collection=collection,
        kind=PairDraw.Kind.LIST,
        size=len(named),
        design={"digest": named_pairs.digest(listed), "pairs": listed},
        created_at=now,
        created_by=by,
    )
    places = {rows[pair].pk: place for place, pair in enumerate(named)}
    drawn_orders.begin(draw=draw, places=places, check=_check_propagation)
    return draw


def _graded(known: named_pairs_operations.Known, pair: NamedPair) -> str:
    is_closed = pair in known.rows and known.rows[pair].is_reference_closed
    return f"the reference graded {pair}; mix reference pairs in to have them judged again" if is_closed else ""


def _check_propagation(collection: Collection) -> None:
    if collection.propagates_duplicates:
        raise drawing.CannotDraw(
            "Near-duplicates are judged once here, which would leave listed pairs unjudged: switch that off first."
        )
