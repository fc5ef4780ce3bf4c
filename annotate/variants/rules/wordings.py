"""When two wordings of a query are the same."""

import unicodedata
from collections.abc import Iterable

MOST_CHARACTERS = 1000
USUAL_TEMPERATURE = 1.0
"""Below it, models repeat their wordings."""
_UNSEEN = ("Cc", "Cf")


def normal(text: str) -> str:
    """The text without case, punctuation, signs that nobody sees and differences of white space or of Unicode form.

    >>> normal("What's  a Hole?\\u200b") == normal("what s a hole"), normal("?!")
    (True, '')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(map(_plain, folded)).split())


def new(texts: Iterable[str], known: Iterable[str]) -> list[str]:
    """Those that are none of the known ones and none of the earlier ones, in their order. Texts of punctuation alone
    and those longer than `MOST_CHARACTERS` are no wordings.

    >>> new(["a hole", "A hole!", "", "holes", "the seed"], ["The seed?"])
    ['a hole', 'holes']
    """
    met = {normal(text) for text in known} | {""}
    found = []
    for text in texts:
        form = normal(text)
        if form not in met and len(text) <= MOST_CHARACTERS:
            met.add(form)
            found.append(text)
    return found


def _plain(sign: str) -> str:
    category = unicodedata.category(sign)
    if category.startswith("P"):
        return " "
    return "" if category in _UNSEEN and not sign.isspace() else sign
