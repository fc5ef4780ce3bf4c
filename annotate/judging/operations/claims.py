"""Handing pairs to assessors: choosing a pair and taking its place is one statement, so no two people get the same."""

import uuid
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import BigIntegerField, BooleanField, FilteredRelation, Q, QuerySet
from django.db.models.expressions import RawSQL

from annotate.judging.queries import assessor_progress, judging_card
from annotate.judging.queries.assessor_progress import AssessorState
from annotate.models import Claim, Membership, Pair
from annotate.pairs.operations import claims as pairs_claims
from annotate.pairs.operations import pair_states

REPEAT = 2  # the round of a pair that comes again
# All that a card shows, read with its claim.
SHOWN = [
    "pair__topic",
    "pair__passage_text",
    "assessor__collection",
    "suggestion__rater",
    "backstory",
    "guidelines",
]
# Who decided a pair as an adjudicator has seen what others said of it.
NOT_MINE = """
    NOT EXISTS (SELECT 1 FROM annotate_judgment j WHERE j.pair_id = p.id AND j.assessor_id = %(assessor)s)
    AND NOT EXISTS (SELECT 1 FROM annotate_adjudication d JOIN annotate_membership m ON m.id = d.adjudicator_id
                    WHERE d.pair_id = p.id AND m.user_id = %(person)s)
"""
NEXT_IN_ORDER = f"""
    SELECT p.id FROM annotate_pair p
    WHERE p.collection_id = %(collection)s AND p.places_open > 0 AND {NOT_MINE}
      AND NOT EXISTS (SELECT 1 FROM annotate_claim c
                      WHERE c.assessor_id = %(assessor)s AND c.pair_id = p.id AND c.state = 'SKIPPED')
    ORDER BY p.order_key, p.id LIMIT 1
"""
LONGEST_SKIPPED = f"""
    SELECT p.id FROM annotate_claim c JOIN annotate_pair p ON p.id = c.pair_id
    WHERE c.assessor_id = %(assessor)s AND c.state = 'SKIPPED' AND p.places_open > 0 AND {NOT_MINE}
      AND NOT EXISTS (SELECT 1 FROM annotate_claim l
                      WHERE l.assessor_id = %(assessor)s AND l.pair_id = c.pair_id AND l.state = 'SKIPPED'
                        AND (l.closed_at, l.id) > (c.closed_at, c.id))
    ORDER BY c.closed_at, c.id LIMIT 1
"""
OF_THE_SAME = """
    o.pair_id = annotate_claim.pair_id AND o.assessor_id = annotate_claim.assessor_id AND o.round = annotate_claim.round
"""
IS_ANSWERED = f"EXISTS (SELECT 1 FROM annotate_judgment o WHERE {OF_THE_SAME})"
SHOWN_BEFORE = """
    SELECT c.id FROM annotate_claim c
    WHERE c.pair_id = annotate_pair.id AND c.assessor_id = %s AND c.suggestion_id IS NOT NULL ORDER BY c.id LIMIT 1
"""
WAS_SKIPPED = f"EXISTS (SELECT 1 FROM annotate_claim o WHERE {OF_THE_SAME} AND o.state = 'SKIPPED')"


@transaction.atomic
def claim_next(*, assessor: Membership, now: datetime) -> Claim | None:
    """The assessor's open claim, renewed, or a new one on the next pair; None when nothing is free."""
    held = pairs_claims.hold_assessor(assessor)  # of two tabs of one person at once one waits for the other
    return serve(held, assessor_progress.read_state(held, now), now)


def serve(assessor: Membership, stands: AssessorState, now: datetime) -> Claim | None:
    """The same for an assessor whose row is held.

    1. Claims that ran out give their places back. 2. A claim that the assessor still holds is served again: a reload
    or a second tab shows the same pair, unless nobody is asked about it any more. 3. Else a pair that is due to come
    again, 4. or the first free one in the shared order, 5. or what the assessor skipped, the longest ago first.
    """
    if stands.has_claims and (held := _held(assessor, now)):
        return renew(claim=held, now=now)
    if stands.repeat:
        return _claim(assessor, stands.repeat, now, round=REPEAT)
    if pair_id := _take(NEXT_IN_ORDER, assessor) or _take(LONGEST_SKIPPED, assessor):
        return _claim(assessor, pair_id, now)
    put_off = (
        assessor_progress.due_repeats(assessor, assessor.judged).first() if assessor.collection.share_repeated else None
    )
    return _claim(assessor, put_off.pair_id, now, round=REPEAT) if put_off else None


def _held(assessor: Membership, now: datetime) -> Claim | None:
    """The assessor's open claim; claims of anybody that ran out, and one that nobody is asked about, end."""
    open_claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN)
    found = list(open_claims.filter(Q(expires_at__lte=now) | Q(assessor=assessor)).select_related(*SHOWN))
    over = [claim for claim in found if claim.expires_at <= now or claim.pair.target == 0]
    if over:
        _end(open_claims.filter(pk__in=[claim.pk for claim in over]), now)
    # Those of others were found because they ran out.
    return next((claim for claim in found if claim not in over), None)


def _claim(assessor: Membership, pair_id: int, now: datetime, round: int = 1) -> Claim:
    """A new claim, with what stands beside its pair from now on."""
    pair = _shown(assessor).get(pk=pair_id)
    earlier = pair.shown_before and Claim.objects.select_related("suggestion__rater").get(pk=pair.shown_before)
    seen = judging_card.seen_before_grade(assessor=assessor, pair=pair, earlier=earlier, is_repeat=round == REPEAT)
    return Claim.objects.create(
        collection_id=assessor.collection_id,
        pair=pair,
        assessor=assessor,
        round=round,
        token=uuid.uuid4(),
        claimed_at=now,
        expires_at=now + timedelta(minutes=assessor.collection.claim_minutes),
        arm=seen.arm,
        suggestion=seen.suggestion,
        backstory=getattr(pair, "its_backstory", None),  # a topic may have none
        guidelines=pair.its_guidelines,
        order=assessor.collection.order,
        order_seed=assessor.collection.seed,
        order_key=pair.order_key,
        pair_draw_id=assessor.collection.pair_draw_id,
        is_calibration=pair.measures_drift,
    )


def _shown(assessor: Membership) -> QuerySet[Pair]:
    """Pairs with all that stands beside them now, and the assessor's first claim that showed a suggestion of them."""
    now = {
        "its_backstory": FilteredRelation("topic__backstories", condition=Q(topic__backstories__is_current=True)),
        "its_guidelines": FilteredRelation(
            "collection__guidelines", condition=Q(collection__guidelines__is_current=True)
        ),
    }
    rows = Pair.objects.annotate(shown_before=RawSQL(SHOWN_BEFORE, [assessor.pk], BigIntegerField()), **now)
    return rows.select_related("topic", "passage_text", *now)


def renew(*, claim: Claim, now: datetime) -> Claim:
    """Hold an open claim for the full time again; one that has ended meanwhile stays as it is."""
    claim.expires_at = now + timedelta(minutes=claim.assessor.collection.claim_minutes)
    Claim.objects.filter(pk=claim.pk, state=Claim.State.OPEN).update(expires_at=claim.expires_at)
    return claim


@transaction.atomic
def release(*, assessor: Membership, now: datetime) -> None:
    """Free what an assessor holds, for one who leaves."""
    _end(Claim.objects.filter(assessor=pairs_claims.hold_assessor(assessor), state=Claim.State.OPEN), now)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> None:
    """Put a claimed pair at the end of the assessor's own queue. Skipping twice, or what is gone, changes nothing."""
    put_off(pairs_claims.hold_assessor(assessor), token, now)


def put_off(assessor: Membership, token: uuid.UUID, now: datetime) -> None:
    """The same for an assessor whose row is held."""
    claim = locked(assessor, token).filter(state=Claim.State.OPEN).first()
    if claim is None:
        return
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SKIPPED, closed_at=now)
    pair_states.refresh(collection=assessor.collection, pairs=[claim.pair], is_reference_known=True)
    if not claim.was_skipped:
        assessor.skipped += 1
        assessor.save(update_fields=["skipped"])


def locked(assessor: Membership, token: uuid.UUID) -> QuerySet[Claim]:
    """The claim that the token names, if it is the assessor's, and its pair, both locked, with what goes with an
    answer; `is_answered` and `was_skipped` say what the assessor did with the pair in this round before."""
    claims = Claim.objects.select_for_update(of=("self", "pair"), no_key=True).select_related(
        "pair__topic", "suggestion__rater"
    )
    return claims.filter(assessor=assessor, token=token).annotate(
        is_answered=RawSQL(IS_ANSWERED, [], output_field=BooleanField()),
        was_skipped=RawSQL(WAS_SKIPPED, [], output_field=BooleanField()),
    )


def _end(claims: QuerySet[Claim], now: datetime) -> None:
    """Close open claims and give their places back; what somebody is about to judge or end at this moment is left."""
    locked = claims.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked, no_key=True)
    ended = list(locked)
    if ended:
        Claim.objects.filter(pk__in=[claim.pk for claim in ended]).update(state=Claim.State.EXPIRED, closed_at=now)
        pairs = pair_states.lock_pairs([claim.pair_id for claim in ended])
        pair_states.refresh(collection=ended[0].collection, pairs=pairs, is_reference_known=True)


def _take(choice: str, assessor: Membership) -> int | None:
    """Take a place of the pair that `choice` selects; the outer condition holds where another was quicker."""
    lock = "FOR NO KEY UPDATE OF p SKIP LOCKED" if connection.vendor == "postgresql" else ""
    statement = f"""
        UPDATE annotate_pair SET places_open = places_open - 1
        WHERE id = ({choice} {lock}) AND places_open > 0 RETURNING id
    """
    asked = {"collection": assessor.collection_id, "assessor": assessor.pk, "person": assessor.user_id}
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        row = cursor.fetchone()
    return row[0] if row else None
