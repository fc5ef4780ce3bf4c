"""How far judging is, read from counters: no request counts all judgments."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min

from annotate.models import Claim, Collection, Membership, Pair


@dataclass(frozen=True)
class Mine:
    """An assessor's own progress. `total` is what was judged and what is still open, at most all wanted pairs. Hidden
    repeats count in both: a number that stood still would tell them."""

    judged: int
    total: int
    skipped: int


@dataclass(frozen=True)
class Held:
    """Pairs that others hold, and when the first of them comes free."""

    pairs: int
    free_at: datetime | None


def of_assessor(assessor: Membership) -> Mine:
    read = Membership.objects.select_related("collection").get(pk=assessor.pk)
    return of_counters(read, read.collection)


def of_counters(assessor: Membership, collection: Collection) -> Mine:
    """The same from rows that were read already."""
    total = max(assessor.judged, min(collection.pairs_wanted, assessor.judged + collection.pairs_open))
    return Mine(assessor.judged + assessor.repeated, total + assessor.repeated, assessor.skipped)


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
