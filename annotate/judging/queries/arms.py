"""What an assessor may see of a suggestion on a pair. The only place that reads suggestions for people who judge."""

from dataclasses import dataclass
from datetime import datetime

from annotate.grades import model_raters
from annotate.models import Backstory, Claim, Collection, Judgment, Membership, Pair, Suggestion
from annotate.rules import blinding


@dataclass(frozen=True)
class Seen:
    """What of a suggestion goes with a judgment: the one that was in view before the grade (`is_in_view`), or the one
    that was revealed after it; None in the hidden arm, and where the model says nothing."""

    arm: str
    suggestion: Suggestion | None
    is_in_view: bool = False
    revealed_at: datetime | None = None


def arm(*, assessor: Membership, pair: Pair) -> str:
    collection: Collection = assessor.collection
    shares = {
        blinding.HIDDEN: collection.share_hidden,
        blinding.SHOWN: collection.share_shown,
        blinding.REVEAL: collection.share_reveal,
    }
    return blinding.arm(
        shares,
        collection.arm_unit,
        collection.seed,
        query_id=pair.topic.query_id,
        passage_id=pair.passage_id,
        assessor=assessor.pseudonym,
    )


def before_grade(*, assessor: Membership, pair: Pair, earlier: Claim | None, is_repeat: bool) -> Seen:
    """What stands beside a pair that is claimed now. What an `earlier` claim showed the same person stays: it cannot
    be unseen."""
    if earlier and earlier.suggestion:
        return Seen(earlier.arm, earlier.suggestion, is_in_view=True)
    its_arm = blinding.arm_of_claim(
        arm(assessor=assessor, pair=pair), is_calibration=pair.measures_drift, is_repeat=is_repeat
    )
    suggestion = suggestion_for(assessor.collection, pair) if its_arm == blinding.SHOWN else None
    return Seen(its_arm, suggestion, is_in_view=suggestion is not None)


def at_save(*, claim: Claim, is_graded: bool, revealed: Judgment | None, now: datetime) -> Seen:
    """What goes with an answer that is stored now: what was revealed at an earlier version (`revealed`, the first such
    one) or was shown with the claim stays; a grade of the reveal arm has what the chosen model says at this moment."""
    if revealed:
        return Seen(revealed.arm, revealed.suggestion, revealed.is_suggestion_seen, revealed.revealed_at)
    if claim.arm != blinding.REVEAL:
        return Seen(claim.arm, claim.suggestion, is_in_view=claim.suggestion is not None)
    suggestion = suggestion_for(claim.assessor.collection, claim.pair) if is_graded else None
    return Seen(claim.arm, suggestion, revealed_at=now if suggestion else None)


def suggestion_for(collection: Collection, pair: Pair) -> Suggestion | None:
    """What the collection's chosen model says of the pair, if it says anything."""
    if collection.suggesting_rater_id is None:
        return None
    return (
        Suggestion.objects.select_related("rater")
        .filter(model_raters.VISIBLE, rater=collection.suggesting_rater_id, pair=pair, state=Suggestion.State.DONE)
        .order_by("draw")
        .first()
    )


def current_backstory(topic_id: int) -> Backstory | None:
    return Backstory.objects.filter(topic=topic_id, is_current=True).first()
