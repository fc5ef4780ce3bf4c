"""One turn of an assessor: an answer is stored and the next pair is claimed, in one transaction.

The only door into judging. Whoever acts as an assessor holds the assessor's row first, so of two tabs of one person one
waits for the other; and choosing a pair and taking its place is one statement, so no two people get the same.
"""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import BigIntegerField, FilteredRelation, Q
from django.db.models.expressions import RawSQL

from annotate.judging.operations import judgments
from annotate.judging.queries import activity, judging_card
from annotate.judging.queries.activity import AssessorState, OwnProgress
from annotate.models import Backstory, Claim, Guidelines, Judgment, Membership, Pair, User
from annotate.pairs import refresh

REPEAT = 2  # the round of a pair that comes again
BESIDE = ["topic", "passage_text", "its_backstory", "its_guidelines"]  # what is read with a pair that is claimed
# Who decided a pair as an adjudicator has seen what others answered.
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
SHOWN_BEFORE = """
    SELECT c.id FROM annotate_claim c
    WHERE c.pair_id = annotate_pair.id AND c.assessor_id = %s AND c.suggestion_id IS NOT NULL ORDER BY c.id LIMIT 1
"""


class NotAnAssessor(LookupError):
    """The person does not judge in such a collection."""


@dataclass(frozen=True)
class Turn:
    """What stands before the assessor now: a suggestion to decide on (`undecided`), else a pair to judge (`claim`),
    else nothing, since judging is paused or nothing is free. `mine` is how far the assessor is, `saved` the judgment
    that led here."""

    assessor: Membership
    mine: OwnProgress | None = None
    claim: Claim | None = None
    undecided: Judgment | None = None
    is_paused: bool = False
    saved: Judgment | None = None

    @property
    def judgment(self) -> Judgment:
        """What was stored, of a turn that stores something."""
        assert self.saved is not None
        return self.saved


@transaction.atomic
def begin(*, assessor: Membership, now: datetime) -> Turn:
    """Where the assessor stands. A revealed suggestion waits for the decision; it is not lost by a reload."""
    return _next(_held(assessor), now)


@transaction.atomic
def save(
    *,
    by: User,
    slug: str,
    token: uuid.UUID,
    key: uuid.UUID,
    answer: judgments.Answer,
    now: datetime,
    claims_next: bool = True,
) -> Turn:
    """Store the first judgment of a claimed pair; what was claimed before a pause is stored too, since it is done work.
    Without `claims_next` the turn ends there.

    This is done thousands of times a day: the person is looked up and held in one statement. Raises NotAnAssessor, and
    as judgments.record_answer does.
    """
    assessor = Membership.objects.held().of_person(by, slug).filter(role=Membership.Role.ASSESSOR).first()
    if assessor is None:
        raise NotAnAssessor(slug)
    saved = judgments.record_answer(assessor=assessor, token=token, key=key, answer=answer, now=now)
    return _next(assessor, now, saved) if claims_next else Turn(assessor, saved=saved)


@transaction.atomic
def change(
    *,
    assessor: Membership,
    judgment_id: int,
    shown: int | None = None,
    key: uuid.UUID,
    answer: judgments.Answer,
    now: datetime,
    claims_next: bool = True,
) -> Turn:
    """Store another answer to a reopened pair. Raises as judgments.record_change does."""
    held = _held(assessor)
    saved = judgments.record_change(
        assessor=held, judgment_id=judgment_id, shown=shown, key=key, answer=answer, now=now
    )
    return _next(held, now, saved) if claims_next else Turn(held, saved=saved)


@transaction.atomic
def decide(*, assessor: Membership, judgment_id: int, grade: int, now: datetime, claims_next: bool = True) -> Turn:
    """Keep or change the grade after a reveal. Raises as judgments.record_decision does."""
    held = _held(assessor)
    saved = judgments.record_decision(assessor=held, judgment_id=judgment_id, grade=grade, now=now)
    return _next(held, now, saved) if claims_next else Turn(held, saved=saved)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime, claims_next: bool = True) -> Turn:
    """Put a claimed pair at the end of the assessor's own queue."""
    held = _held(assessor)
    judgments.record_skip(assessor=held, token=token, now=now)
    return _next(held, now) if claims_next else Turn(held)


def renew(*, claim: Claim, now: datetime) -> Claim:
    """Hold an open claim for the full time again; one that has ended meanwhile stays as it is."""
    claim.expires_at = now + timedelta(minutes=claim.assessor.collection.claim_minutes)
    Claim.objects.filter(pk=claim.pk, state=Claim.State.OPEN).update(expires_at=claim.expires_at)
    return claim


def _held(assessor: Membership) -> Membership:
    """The row as it is now, with the collection's settings: a request read both before it waited for its turn."""
    return Membership.objects.held().get(pk=assessor.pk)


def _next(assessor: Membership, now: datetime, saved: Judgment | None = None) -> Turn:
    """What comes before an assessor whose row is held."""
    state = activity.read_state(assessor, now)
    turn = Turn(assessor, state.mine, saved=saved)
    if state.is_undecided and (undecided := activity.undecided_judgment(assessor)):
        return replace(turn, undecided=undecided)
    if assessor.collection.is_paused:
        return replace(turn, is_paused=True)
    return replace(turn, claim=_claim_next(assessor, state, now))


def _claim_next(assessor: Membership, state: AssessorState, now: datetime) -> Claim | None:
    """The assessor's open claim, renewed, or a new one on the next pair; None when nothing is free.

    1. Claims that ran out give their places back. 2. A claim that the assessor still holds is served again: a reload
    or a second tab shows the same pair, unless nobody is asked about it any more. 3. Else a pair that is due to come
    again, 4. or the first free one in the shared order, 5. or what the assessor skipped, the longest ago first.
    """
    if state.has_claims and (claim := _open_claim(assessor, now)):
        return renew(claim=claim, now=now)
    if state.repeat:
        return _claim(assessor, state.repeat, now, round=REPEAT)
    if pair_id := _take(NEXT_IN_ORDER, assessor) or _take(LONGEST_SKIPPED, assessor):
        return _claim(assessor, pair_id, now)
    if not assessor.collection.share_repeated:
        return None
    put_off = activity.due_repeats(assessor, assessor.judged).first()
    return _claim(assessor, put_off.pair_id, now, round=REPEAT) if put_off else None


def _open_claim(assessor: Membership, now: datetime) -> Claim | None:
    """The assessor's open claim; claims of anybody that ran out, and one that nobody is asked about, end."""
    open_claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN)
    found = list(
        open_claims.filter(Q(expires_at__lte=now) | Q(assessor=assessor)).select_related(*judging_card.CLAIM_SHOWN)
    )
    over = [claim for claim in found if claim.expires_at <= now or claim.pair.target == 0]
    if over:
        refresh.end_claims(open_claims.filter(pk__in=[claim.pk for claim in over]), now)
    # Those of others were found because they ran out.
    return next((claim for claim in found if claim not in over), None)


def _claim(assessor: Membership, pair_id: int, now: datetime, round: int = 1) -> Claim:
    """A new claim, with what stands beside its pair from now on."""
    pair, earlier, backstory, guidelines = _read_pair(assessor, pair_id)
    # Then people's grade is compared with the reference's, and fills no hole.
    is_calibration = pair.is_calibration and pair.is_reference_closed
    seen = judging_card.seen_before_grade(
        assessor=assessor, pair=pair, earlier=earlier, is_calibration=is_calibration, is_repeat=round == REPEAT
    )
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
        backstory=backstory,
        guidelines=guidelines,
        order=assessor.collection.order,
        order_seed=assessor.collection.seed,
        order_key=pair.order_key,
        pair_draw_id=assessor.collection.pair_draw_id,
        is_calibration=is_calibration,
    )


def _read_pair(assessor: Membership, pair_id: int) -> tuple[Pair, Claim | None, Backstory | None, Guidelines]:
    """A pair, the assessor's first claim of it that showed a suggestion, and its backstory and guidelines as they are
    now; a topic may have no backstory."""
    rows = Pair.objects.annotate(
        shown_before=RawSQL(SHOWN_BEFORE, [assessor.pk], BigIntegerField()),
        its_backstory=FilteredRelation("topic__backstories", condition=Q(topic__backstories__is_current=True)),
        its_guidelines=FilteredRelation("collection__guidelines", condition=Q(collection__guidelines__is_current=True)),
    )
    pair = rows.select_related(*BESIDE).get(pk=pair_id)
    claims_of_it = Claim.objects.select_related("suggestion__rater")
    earlier = claims_of_it.get(pk=pair.shown_before) if pair.shown_before else None
    return pair, earlier, getattr(pair, "its_backstory", None), pair.its_guidelines


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
