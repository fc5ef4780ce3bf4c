"""All that an assessor sees of one pair: the only source of the judging page, its fragments and the API.

Nothing of another person is in it, and of a suggestion only what the arm lets through.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotate.models import Backstory, Claim, Guidelines, Judgment, Pair, Suggestion
from annotate.rules import blinding

# A passage beyond this is shown cut at first; whether it was cut when it was graded is stored with the grade.
LONG_CHARACTERS = 4000
LONG_LINES = 60


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


def of_claim(claim: Claim, now: datetime) -> Card:
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
        is_suggestion_area=claim.arm == blinding.SHOWN,
        suggestion=claim.suggestion,
    )


def of_judgment(judgment: Judgment, now: datetime) -> Card:
    """A reopened pair with what the person saw of it; by its own key a change is stored once, another change again."""
    return Card(
        pair=judgment.pair,
        backstory=judgment.backstory,
        guidelines=judgment.guidelines,
        key=uuid.uuid4(),
        shown_at=now,
        judgment=judgment,
        is_suggestion_area=judgment.arm == blinding.SHOWN or judgment.suggestion is not None,
        suggestion=judgment.suggestion,
    )


def of_reveal(judgment: Judgment) -> Reveal | None:
    """What is still to be decided after a save; None where nothing was revealed, or the decision is made."""
    if judgment.revealed_at is None or judgment.decided_at is not None or judgment.suggestion is None:
        return None
    return Reveal(judgment.pair, judgment.backstory, judgment.guidelines, judgment, judgment.suggestion)
