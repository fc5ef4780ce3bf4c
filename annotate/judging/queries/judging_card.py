"""All that an assessor sees of one pair: the only source of the judging page, its fragments and the API.

The only place that reads suggestions for people who judge. Nothing of another person is in a card, and of a
suggestion only what the arm lets through.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotate.models import Backstory, Claim, Collection, Guidelines, Judgment, Membership, Pair, Suggestion
from annotate.rules import assignment

# A passage beyond this is shown cut at first; whether it was cut when it was graded is stored with the grade.
LONG_CHARACTERS = 4000
LONG_LINES = 60
# All that a card shows, read with its claim or its judgment.
JUDGMENT_SHOWN = ["pair__topic", "pair__passage_text", "suggestion__rater", "backstory", "guidelines"]
CLAIM_SHOWN = [*JUDGMENT_SHOWN, "assessor__collection"]


@dataclass(frozen=True)
class Seen:
    """What of a suggestion goes with a judgment: the one that was in view before the grade (`is_in_view`), or the one
    that was revealed after it; None in the hidden arm, and where the model says nothing."""

    arm: str
    suggestion: Suggestion | None
    is_in_view: bool = False
    revealed_at: datetime | None = None


def find_arm(*, assessor: Membership, pair: Pair) -> str:
    collection: Collection = assessor.collection
    return assignment.assign_arm(
        collection.arm_shares,
        collection.arm_unit,
        collection.seed,
        query_id=pair.topic.query_id,
        passage_id=pair.passage_id,
        assessor=assessor.pseudonym,
    )


def seen_before_grade(
    *, assessor: Membership, pair: Pair, earlier: Claim | None, is_calibration: bool, is_repeat: bool
) -> Seen:
    """What stands beside a pair that is claimed now. What an `earlier` claim showed the same person stays: it cannot
    be unseen."""
    if earlier and earlier.suggestion:
        return Seen(earlier.arm, earlier.suggestion, is_in_view=True)
    its_arm = assignment.arm_of_claim(
        find_arm(assessor=assessor, pair=pair), is_calibration=is_calibration, is_repeat=is_repeat
    )
    suggestion = find_suggestion(assessor.collection, pair) if its_arm == assignment.SHOWN else None
    return Seen(its_arm, suggestion, is_in_view=suggestion is not None)


def seen_at_save(*, claim: Claim, is_graded: bool, revealed: Judgment | None, now: datetime) -> Seen:
    """What goes with an answer that is stored now: what was revealed at an earlier version (`revealed`, the first such
    one) or was shown with the claim stays; a grade of the reveal arm has what the chosen model says at this moment."""
    if revealed:
        return Seen(revealed.arm, revealed.suggestion, revealed.is_suggestion_seen, revealed.revealed_at)
    if claim.arm != assignment.REVEAL:
        return Seen(claim.arm, claim.suggestion, is_in_view=claim.suggestion is not None)
    suggestion = find_suggestion(claim.assessor.collection, claim.pair) if is_graded else None
    return Seen(claim.arm, suggestion, revealed_at=now if suggestion else None)


def find_suggestion(collection: Collection, pair: Pair) -> Suggestion | None:
    """What the collection's chosen model says of the pair, if anything: nothing while grades are held out from which it
    learned."""
    if collection.suggesting_rater_id is None:
        return None
    given = Suggestion.objects.visible().filter(
        rater=collection.suggesting_rater_id, rater__held_out_by=None, pair=pair, state=Suggestion.State.DONE
    )
    return given.select_related("rater").order_by("draw").first()


def find_backstory(topic_id: int) -> Backstory | None:
    return Backstory.objects.filter(topic=topic_id, is_current=True).first()


@dataclass(frozen=True)
class Card:
    """`suggestion` is set only where the arm shows one before the grade, or the pair is reopened after a reveal.
    `token` names the claim of a new pair; `judgment` is the earlier answer of a reopened one."""

    pair: Pair
    backstory: Backstory | None
    guidelines: Guidelines
    key: uuid.UUID
    shown_at: datetime
    token: uuid.UUID | None = None
    judgment: Judgment | None = None
    is_suggestion_area: bool = False
    suggestion: Suggestion | None = None

    @property
    def is_long(self) -> bool:
        text = self.pair.passage_text.text if self.pair.passage_text else ""
        return len(text) > LONG_CHARACTERS or text.count("\n") > LONG_LINES


@dataclass(frozen=True)
class Reveal:
    """After the save in the reveal arm: the person's grade beside the suggestion."""

    pair: Pair
    backstory: Backstory | None
    guidelines: Guidelines
    judgment: Judgment
    suggestion: Suggestion


def build_claim_card(claim: Claim, now: datetime) -> Card:
    """A claimed pair with what the claim holds, however often it is shown.

    Each showing has a key of its own: of two tabs with one pair the second answer is no repeat.
    """
    return Card(
        pair=claim.pair,
        backstory=claim.backstory,
        guidelines=claim.guidelines,
        key=uuid.uuid4(),
        shown_at=now,
        token=claim.token,
        is_suggestion_area=claim.arm == assignment.SHOWN,
        suggestion=claim.suggestion,
    )


def build_judgment_card(judgment: Judgment, now: datetime) -> Card:
    """A reopened pair with what the person saw of it; by its own key a change is stored once, another change again."""
    return Card(
        pair=judgment.pair,
        backstory=judgment.backstory,
        guidelines=judgment.guidelines,
        key=uuid.uuid4(),
        shown_at=now,
        judgment=judgment,
        is_suggestion_area=judgment.arm == assignment.SHOWN or judgment.suggestion is not None,
        suggestion=judgment.suggestion,
    )


def build_reveal(judgment: Judgment) -> Reveal | None:
    """What is still to be decided after a save; None where nothing was revealed, or the decision is made."""
    if judgment.revealed_at is None or judgment.decided_at is not None or judgment.suggestion is None:
        return None
    return Reveal(judgment.pair, judgment.backstory, judgment.guidelines, judgment, judgment.suggestion)
