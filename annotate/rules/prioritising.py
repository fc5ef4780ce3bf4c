"""When an order by influence may look at what a model says. A pair: `check_x` raises the sentence, `may_x` asks it."""

from collections.abc import Mapping

from annotate.rules import blinding
from annotate.rules.permissions import NotAllowed


def check_weighting(shares: Mapping[str, int]) -> None:
    """`shares` of the arms. Refuses weights from a model's probabilities wherever somebody grades blind."""
    if shares[blinding.HIDDEN] or shares[blinding.REVEAL]:
        raise NotAllowed(
            "The order would tell assessors what the model thinks, and some of them grade blind: influence can be "
            "weighted by a model's probabilities only where all suggestions are shown first."
        )


def may_weight(shares: Mapping[str, int]) -> bool:
    try:
        check_weighting(shares)
    except NotAllowed:
        return False
    return True
