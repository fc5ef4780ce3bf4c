"""Why pairs are not drawn for people to judge: the sentences that the researcher reads."""

SEEDS = range(-(2**63), 2**63)  # what the database holds


class CannotDraw(Exception):
    """What stands in the way, for now."""


class BadValue(CannotDraw):
    """A share, number or seed that can never be drawn with."""


def check_seed(seed: int) -> None:
    if seed not in SEEDS:
        raise BadValue("The seed is a whole number of at most 63 bits.")
