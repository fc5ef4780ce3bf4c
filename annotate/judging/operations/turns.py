"""One turn of an assessor: what was answered is stored and what comes next is chosen, in one transaction."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from annotate.judging.operations import claims, judgments
from annotate.judging.queries import assessor_progress, history
from annotate.models import Claim, Judgment, Membership, User
from annotate.pairs.operations import claims as pairs_claims


@dataclass(frozen=True)
class Turn:
    """What stands before the assessor now: a suggestion to decide on (`undecided`), else a pair to judge (`claim`),
    else nothing, since judging is paused or nothing is free. `mine` is how far the assessor is, `saved` the judgment
    that led here."""

    assessor: Membership
    mine: assessor_progress.OwnProgress
    claim: Claim | None = None
    undecided: Judgment | None = None
    is_paused: bool = False
    saved: Judgment | None = None


@transaction.atomic
def begin(*, assessor: Membership, now: datetime) -> Turn:
    """Where the assessor stands. A revealed suggestion waits for the decision; it is not lost by a reload."""
    return _next(pairs_claims.hold_assessor(assessor), now)


@transaction.atomic
def save(*, by: User, slug: str, token: uuid.UUID, key: uuid.UUID, answer: judgments.Answer, now: datetime) -> Turn:
    """Store the first judgment of a claimed pair; what was claimed before a pause is stored too, since it is done work.

    This is done thousands of times a day: the person is looked up and held in one statement. Raises
    holding.NotAnAssessor, and as judging.record_judgment does.
    """
    assessor = pairs_claims.hold_assessor_of(by, slug)
    saved = judgments.record(assessor, token, key, answer, now)
    return replace(_next(assessor, now), saved=saved)


@transaction.atomic
def change(*, assessor: Membership, judgment_id: int, key: uuid.UUID, answer: judgments.Answer, now: datetime) -> Turn:
    """Store another answer to a reopened pair. Raises as judging.change_judgment does."""
    judgment = judgments.change_judgment(assessor=assessor, judgment_id=judgment_id, key=key, answer=answer, now=now)
    return replace(begin(assessor=assessor, now=now), saved=judgment)


@transaction.atomic
def decide(*, assessor: Membership, judgment_id: int, grade: int, now: datetime) -> Turn:
    """Keep or change after a reveal. Raises as judging.decide_after_reveal does."""
    judgment = judgments.decide_after_reveal(assessor=assessor, judgment_id=judgment_id, grade=grade, now=now)
    return replace(begin(assessor=assessor, now=now), saved=judgment)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> Turn:
    assessor = pairs_claims.hold_assessor(assessor)
    claims.put_off(assessor, token, now)
    return _next(assessor, now)


def _next(assessor: Membership, now: datetime) -> Turn:
    """What comes before an assessor whose row is held."""
    stands = assessor_progress.read_state(assessor, now)
    turn = Turn(assessor, stands.mine)
    if stands.is_undecided and (undecided := history.undecided_judgment(assessor)):
        return replace(turn, undecided=undecided)
    if assessor.collection.is_paused:
        return replace(turn, is_paused=True)
    return replace(turn, claim=claims.serve(assessor, stands, now))
