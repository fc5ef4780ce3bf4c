"""How far an assessor is and what waits, read from counters: no request counts all judgments."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import BooleanField, Exists, Min, OuterRef, QuerySet, Subquery
from django.db.models.expressions import RawSQL

from annotate.judging.queries import judging_card
from annotate.models import Adjudication, Claim, Collection, Judgment, Membership, Pair

# Written out, since it is asked with each judgment: to put it together from objects takes ten times what asking takes.
HAS_CLAIMS = """
    EXISTS (SELECT 1 FROM annotate_claim c WHERE c.state = 'OPEN' AND c.assessor_id = %s)
    OR EXISTS (SELECT 1 FROM annotate_claim c
               WHERE c.state = 'OPEN' AND c.collection_id = %s AND c.expires_at <= %s)
"""
IS_UNDECIDED = """
    EXISTS (SELECT 1 FROM annotate_judgment j
            WHERE j.assessor_id = %s AND j.is_current AND j.revealed_at IS NOT NULL
              AND j.decided_at IS NULL)
"""


@dataclass(frozen=True)
class OwnProgress:
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


@dataclass(frozen=True)
class AssessorState:
    """`is_undecided`: a revealed suggestion waits for the assessor's decision. `has_claims`: the assessor holds a pair
    or some claim of the collection ran out. `repeat`: the row id of the pair that comes again now, if any."""

    mine: OwnProgress
    is_undecided: bool
    has_claims: bool
    repeat: int | None


def read_own_progress(assessor: Membership) -> OwnProgress:
    read = Membership.objects.select_related("collection").get(pk=assessor.pk)
    return own_progress(read, read.collection)


def own_progress(assessor: Membership, collection: Collection) -> OwnProgress:
    """The same from rows that were read already."""
    total = max(assessor.judged, min(collection.pairs_wanted, assessor.judged + collection.pairs_open))
    return OwnProgress(assessor.judged + assessor.repeated, total + assessor.repeated, assessor.skipped)


def count_held_by_others(assessor: Membership) -> Held:
    """For the empty page: what other assessors have in front of them and this one has not judged."""
    claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN).exclude(assessor=assessor)
    claims = claims.exclude(pair__judgments__assessor=assessor)
    return Held(claims.values("pair").distinct().count(), claims.aggregate(first=Min("expires_at"))["first"])


def count_done(collection: Collection) -> tuple[int, int]:
    """Wanted pairs that have met their target, and all wanted pairs."""
    return collection.pairs_wanted - collection.pairs_open, collection.pairs_wanted


def count_without_text(collection: Collection) -> int:
    """Holes that nobody can be asked about, since the collection lacks their passage's text."""
    return Pair.objects.filter(
        collection=collection, is_pooled=True, is_reference_closed=False, passage_text=None
    ).count()


def read_state(assessor: Membership, now: datetime) -> AssessorState:
    """What an assessor can do next: one statement says which others are needed. Call it while the assessor's row is
    held, which was read together with the collection; the collection's counters are read anew, since what was just
    done may have moved them."""
    at = connection.ops.adapt_datetimefield_value(now)
    asked: dict[str, RawSQL | Subquery] = {
        "has_claims": RawSQL(HAS_CLAIMS, [assessor.pk, assessor.collection_id, at], BooleanField()),
        "is_undecided": RawSQL(IS_UNDECIDED, [assessor.pk], BooleanField()),
    }
    if assessor.collection.share_repeated:
        due = due_repeats(assessor.pk, assessor.judged).filter(~_is_put_off())
        asked["repeat"] = Subquery(due.values("pair")[:1])
    counters = ("pairs_wanted", "pairs_open")
    row = Collection.objects.filter(pk=assessor.collection_id).values(*counters, **asked).get()
    return AssessorState(
        mine=own_progress(assessor, Collection(**{name: row[name] for name in counters})),
        is_undecided=row["is_undecided"],
        has_claims=row["has_claims"],
        repeat=row.get("repeat"),
    )


def undecided_judgment(assessor: Membership) -> Judgment | None:
    """The newest judgment whose revealed suggestion waits for a decision, whatever was judged since: of those that
    IS_UNDECIDED asks about."""
    waiting = Judgment.objects.filter(assessor=assessor.pk, is_current=True, revealed_at__isnull=False, decided_at=None)
    shown = waiting.select_related(*judging_card.JUDGMENT_SHOWN, "assessor__collection")
    return shown.order_by("-created_at", "-pk").first()


def due_repeats(assessor: Membership | int, judged: int) -> QuerySet[Judgment]:
    """The judgments whose pairs come again to an assessor who has judged so many pairs: grades given without any
    suggestion, of pairs that people are still asked about, not yet repeated, nor decided by the same person, who has
    seen then what others answered; what was to be asked first comes first."""
    again = Judgment.objects.filter(assessor=OuterRef("assessor"), pair=OuterRef("pair"), round=2)
    decided = Adjudication.objects.filter(pair=OuterRef("pair"), adjudicator__user=OuterRef("assessor__user"))
    due = Judgment.objects.filter(
        ~Exists(again),
        ~Exists(decided),
        assessor=assessor,
        is_current=True,
        repeat_from__lte=judged,
        round=1,
        outcome=Judgment.Outcome.GRADED,
        suggestion=None,
        pair__target__gt=0,
    )
    return due.order_by("repeat_from", "pk")


def _is_put_off() -> Exists:
    skipped = Claim.objects.filter(assessor=OuterRef("assessor"), pair=OuterRef("pair"), round=2)
    return Exists(skipped.filter(state=Claim.State.SKIPPED))
