"""Who may do what: each rule raises with the sentence that the person reads."""

from collections.abc import Collection, Mapping

from annotate.rules import assignment

JUDGED_YOURSELF = "You judged this pair yourself: another adjudicator decides it, or a researcher."


class NotAllowed(Exception):
    """The sentence that the person reads."""


def check_reset_password(*, is_superuser: bool, own: Collection[int], theirs: Collection[int], is_peer: bool) -> None:
    """`own`: collections that the one who resets researches; `theirs`: all collections in which the
    other person has or ever had a role; `is_peer`: administers, or researches or ever researched a collection.

    A researcher may not reset somebody who also works elsewhere, who is a researcher or who administers Lacuna: a new
    password would open what is not the researcher's. A role that ended counts: it may be given back, and who adds a
    known person to an own collection has no claim on the account.
    """
    if is_superuser:
        return
    if is_peer:
        raise NotAllowed(
            "This person is or was a researcher or administrator: only an administrator can reset the password."
        )
    if not theirs or not set(theirs) <= set(own):
        raise NotAllowed("This person also works, or worked, in collections that are not yours: ask an administrator.")


def check_adjudicate(*, is_researcher: bool, has_judged: bool, is_still_to_judge: bool) -> None:
    """Of a person who may adjudicate in the collection, and one pair. `has_judged`: gave a judgment of it too;
    `is_still_to_judge`: is or may be asked about it as an assessor, and would see others' answers.

    The first sentence tells no reason: that a pair comes again is hidden from who judges it.
    """
    if is_still_to_judge:
        raise NotAllowed("This pair is left to other adjudicators, since you judge in this collection too.")
    if has_judged and not is_researcher:
        raise NotAllowed(JUDGED_YOURSELF)


def check_weighting(shares: Mapping[str, int]) -> None:
    """`shares` of the arms. Refuses weights from a model's probabilities wherever somebody grades blind."""
    if shares[assignment.HIDDEN] or shares[assignment.REVEAL]:
        raise NotAllowed(
            "The order would tell assessors what the model thinks, and some of them grade blind: influence can be "
            "weighted by a model's probabilities only where all suggestions are shown first."
        )
