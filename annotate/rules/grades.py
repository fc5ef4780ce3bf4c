"""What a stored grade means for a pair. -1: pooled but unjudged, a hole. Other negatives (-2 junk): no hole, gain 0."""

POOLED_UNJUDGED = -1


def closes_hole(grade: int) -> bool:
    """Whether a reference grade settles its pair, so that nobody is asked to judge it."""
    return grade != POOLED_UNJUDGED


def is_judged(grade: int) -> bool:
    """Whether a grade says how relevant a passage is. Negative ones do not."""
    return grade >= 0
