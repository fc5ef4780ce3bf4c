"""From the grades that several people gave one pair to one grade, or to none."""

from collections import Counter
from collections.abc import Sequence

MAJORITY = "MAJORITY"
MEDIAN = "MEDIAN"
MAXIMUM = "MAXIMUM"
UNANIMOUS = "UNANIMOUS"
ADJUDICATED = "ADJUDICATED"
RULES = (MAJORITY, MEDIAN, MAXIMUM, UNANIMOUS, ADJUDICATED)


def consensus(rule: str, grades: Sequence[int]) -> int | None:
    """The grade that the rule gives, or None where it gives none: the pair is unresolved and stays a hole.

    MAJORITY is strict (more than half); MEDIAN takes the lower of the two middle ones; UNANIMOUS wants all equal;
    ADJUDICATED takes no grade but an adjudicator's, whatever people say.
    """
    if rule not in RULES:
        raise ValueError(f"no such consensus rule: {rule}")
    if not grades or rule == ADJUDICATED:
        return None
    if rule == MAJORITY:
        grade, count = Counter(grades).most_common(1)[0]
        return grade if 2 * count > len(grades) else None
    if rule == MEDIAN:
        return sorted(grades)[(len(grades) - 1) // 2]
    if rule == MAXIMUM:
        return max(grades)
    return grades[0] if len(set(grades)) == 1 else None
