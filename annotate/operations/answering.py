"""One turn of an assessor: what was answered is stored and what comes next is chosen, in one transaction."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from annotate.models import Claim, Judgment, Membership
from annotate.operations import claiming, judging
from annotate.queries import judging_history


@dataclass(frozen=True)
class Turn:
    """What stands before the assessor now: a suggestion to decide on (`undecided`), else a pair to judge (`claim`),
    else nothing, since judging is paused or nothing is free. `saved` is the judgment that led here."""

    claim: Claim | None = None
    undecided: Judgment | None = None
    is_paused: bool = False
    saved: Judgment | None = None


@transaction.atomic
def begin(*, assessor: Membership, now: datetime) -> Turn:
    """Where the assessor stands. A revealed suggestion waits for the decision; it is not lost by a reload."""
    if undecided := judging_history.undecided(assessor):
        return Turn(undecided=undecided)
    if assessor.collection.is_paused:
        return Turn(is_paused=True)
    return Turn(claim=claiming.claim_next(assessor=assessor, now=now))


@transaction.atomic
def save(*, assessor: Membership, token: uuid.UUID, key: uuid.UUID, answer: judging.Answer, now: datetime) -> Turn:
    """Store the first judgment of a claimed pair; what was claimed before a pause is stored too, since it is done work.

    Raises as judging.record_judgment does.
    """
    judgment = judging.record_judgment(assessor=assessor, token=token, key=key, answer=answer, now=now)
    return replace(begin(assessor=assessor, now=now), saved=judgment)


@transaction.atomic
def change(*, assessor: Membership, judgment_id: int, key: uuid.UUID, answer: judging.Answer, now: datetime) -> Turn:
    """Store another answer to a reopened pair. Raises as judging.change_judgment does."""
    judgment = judging.change_judgment(assessor=assessor, judgment_id=judgment_id, key=key, answer=answer, now=now)
    return replace(begin(assessor=assessor, now=now), saved=judgment)


@transaction.atomic
def decide(*, assessor: Membership, judgment_id: int, grade: int, now: datetime) -> Turn:
    """Keep or change after a reveal. Raises as judging.decide_after_reveal does."""
    judgment = judging.decide_after_reveal(assessor=assessor, judgment_id=judgment_id, grade=grade, now=now)
    return replace(begin(assessor=assessor, now=now), saved=judgment)


@transaction.atomic
def skip(*, assessor: Membership, token: uuid.UUID, now: datetime) -> Turn:
    claiming.skip(assessor=assessor, token=token, now=now)
    return begin(assessor=assessor, now=now)
