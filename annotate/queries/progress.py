"""How far judging is, read from counters: no request counts all judgments."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min

from annotate.models import Claim, Collection, Membership, Pair


@dataclass(frozen=True)
class Mine:
    """An assessor's own progress. `total` is what was judged and what is still open, at most all wanted pairs."""

    judged: int
    total: int
    skipped: int


@dataclass(frozen=True)
class Held:
    """Pairs that others hold, and when the first of them comes free."""

    pairs: int
    free_at: datetime | None


def of_assessor(assessor: Membership) -> Mine:
    counts = (
        Membership.objects.filter(pk=assessor.pk)
        .values_list("judged", "skipped", "collection__pairs_open", "collection__pairs_wanted")
        .get()
    )
    return _mine(*counts)


def of_counters(assessor: Membership, collection: Collection) -> Mine:
    """The same from rows that were read already."""
    return _mine(assessor.judged, assessor.skipped, collection.pairs_open, collection.pairs_wanted)


def _mine(judged: int, skipped: int, still_open: int, wanted: int) -> Mine:
    return Mine(judged, max(judged, min(wanted, judged + still_open)), skipped)


def held_by_others(assessor: Membership) -> Held:
    """For the empty page: what other assessors have in front of them and this one has not judged."""
    claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN).exclude(assessor=assessor)
    claims = claims.exclude(pair__judgments__assessor=assessor)
    return Held(claims.values("pair").distinct().count(), claims.aggregate(first=Min("expires_at"))["first"])


def done(collection: Collection) -> tuple[int, int]:
    """Wanted pairs that have met their target, and all wanted pairs."""
    return collection.pairs_wanted - collection.pairs_open, collection.pairs_wanted


def without_text(collection: Collection) -> int:
    """Holes that nobody can be asked about, since the collection lacks their passage's text."""
    return Pair.objects.filter(
        collection=collection, is_pooled=True, is_reference_closed=False, passage_text=None
    ).count()
