"""Taking pairs away from people for a reason, also while they judge, and giving them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotate.draws.operations import additions, named_pairs
from annotate.formats.named_pairs import NamedPair
from annotate.models import Claim, Collection
from annotate.pairs.operations import pair_columns, pair_states


class NoReason(ValueError):
    """A pair is withdrawn for a reason."""


@dataclass(frozen=True)
class Changed:
    """`changed`: withdrawn, or given back. `unchanged` were so before. `drawn`: changed pairs in the draw in force."""

    changed: int
    unchanged: int
    drawn: int


def withdraw(*, collection: Collection, named: Sequence[NamedPair], reason: str, now: datetime) -> Changed:
    """Ask nobody about these pairs any more. Who has one on the screen loses the claim; a grade that still comes is
    kept and marked extra. Pairs that are withdrawn keep their first reason.

    All or nothing: raises NoReason, TooMany, and FileRefused for pairs that are not in the pool.
    """
    if not reason.strip():
        raise NoReason("Say why the pairs are withdrawn; whoever analyses the judgments will want to know.")
    return _change(collection, named, now, is_withdrawn=True, reason=reason.strip())


def restore(*, collection: Collection, named: Sequence[NamedPair], now: datetime) -> Changed:
    """Ask about withdrawn pairs again; who holds one that was not withdrawn keeps it. All or nothing, as `withdraw`."""
    return _change(collection, named, now, is_withdrawn=False, reason="")


def _change(
    collection: Collection, named: Sequence[NamedPair], now: datetime, *, is_withdrawn: bool, reason: str
) -> Changed:
    additions.check_number(named)
    rows = named_pairs.rows(collection, named)
    named_pairs.check(named, lambda pair: "" if pair in rows and rows[pair].is_pooled else f"{pair} is not in the pool")
    ids = [row.pk for row in rows.values()]
    with transaction.atomic():
        if is_withdrawn:
            _end_claims(ids, now)
        locked = pair_states.locked(ids)
        changed = [pair for pair in locked if pair.is_withdrawn != is_withdrawn]
        for pair in changed:
            pair.is_withdrawn, pair.withdrawn_reason = is_withdrawn, reason
        if changed:
            additions.raise_frame(collection)
            pair_columns.store(changed, ["is_withdrawn", "withdrawn_reason"])
            additions.refresh(collection, changed)
    return Changed(len(changed), len(locked) - len(changed), sum(pair.is_drawn for pair in changed))


def _end_claims(pairs: list[int], now: datetime) -> None:
    """Claims are locked before their pairs, as by those who judge. One that is made meanwhile ends by itself: a pair
    that nobody is asked about is not served again."""
    open_claims = (
        Claim.objects.select_for_update(no_key=True).filter(pair__in=pairs, state=Claim.State.OPEN).order_by("pk")
    )
    ids = [claim.pk for claim in open_claims]
    Claim.objects.filter(pk__in=ids).update(state=Claim.State.EXPIRED, closed_at=now)
