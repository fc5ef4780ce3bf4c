"""What an assessor may see of a suggestion on a pair. The only place that reads suggestions for people who judge."""

from dataclasses import dataclass

from annotate.models import Backstory, Collection, Judgment, Membership, Pair, Suggestion
from annotate.rules import blinding


@dataclass(frozen=True)
class Seen:
    """The arm of a pair for an assessor; the suggestion is None in the hidden arm, and where the model has none."""

    arm: str
    suggestion: Suggestion | None
    is_visible: bool


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


def seen(*, assessor: Membership, pair: Pair, earlier: Judgment | None = None) -> Seen:
    """What stands beside the pair before the assessor's grade. A pair keeps its first arm when it is reopened."""
    its_arm = earlier.arm if earlier else arm(assessor=assessor, pair=pair)
    if its_arm == blinding.HIDDEN:
        return Seen(its_arm, None, is_visible=False)
    suggestion = suggestion_for(assessor.collection, pair)
    was_revealed = bool(earlier and earlier.revealed_at)
    return Seen(its_arm, suggestion, is_visible=suggestion is not None and (its_arm == blinding.SHOWN or was_revealed))


def suggestion_for(collection: Collection, pair: Pair) -> Suggestion | None:
    """What the collection's chosen model says of the pair, if it says anything."""
    if collection.suggesting_rater_id is None:
        return None
    return (
        Suggestion.objects.select_related("rater")
        .filter(rater=collection.suggesting_rater_id, pair=pair, state=Suggestion.State.DONE)
        .order_by("draw")
        .first()
    )


def current_backstory(topic_id: int) -> Backstory | None:
    return Backstory.objects.filter(topic=topic_id, is_current=True).first()
