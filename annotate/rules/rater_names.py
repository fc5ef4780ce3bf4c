"""What a rater may be called, and the names of Lacuna's own judges."""

import re

LEARNED = "learned"  # from text alone
CALIBRATED = "calibrated"  # from what models say, and text
OWN_JUDGES = (LEARNED, CALIBRATED)
# With fewer judged pairs a model's grades would stand as they are.
LEAST_JUDGED = 10


MOST_CHARACTERS = 100
# The collection's own sources of grades, its people's pseudonyms, and the versions of its own judges.
TAKEN_NAMES = re.compile(
    r"reference|original|dropped|adjudicated|people|.*:(?:blind|unanswered-lowest)|"
    rf"(?:assessor|researcher|adjudicator|{'|'.join(OWN_JUDGES)})-\d+"
)


class BadName(ValueError):
    """Why a rater cannot be called so; the sentence that the person reads."""


def check_rater_name(name: str) -> str:
    """The name as it is; raises BadName for one that a rule could not tell, or that means something else there."""
    if not name or name != name.strip() or not name.isprintable() or "," in name or len(name) > MOST_CHARACTERS:
        raise BadName(f"Give the rater a name of up to {MOST_CHARACTERS} characters, without a comma.")
    if TAKEN_NAMES.fullmatch(name):
        raise BadName(f"{name} names grades of the collection itself; give the rater another name.")
    return name
