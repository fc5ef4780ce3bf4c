"""Passages of one topic that say nearly the same, so that people judge one of them.

Two texts are near-duplicates where they are identical once case, white space, punctuation and Unicode forms are set
aside, or where their sets of word shingles (three words in a row) have a Jaccard coefficient of at least .8 (Broder
1997, On the resemblance and containment of documents). Both numbers are the usual ones; nothing is fitted to data. In
writing without spaces a run of letters is one word: there only texts with most sentences alike are found.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping

SHINGLE_WORDS = 3
LEAST_JACCARD = 0.8


class _Bare(dict[int, str | int]):
    """A table for str.translate: punctuation and separators become spaces, invisible format characters nothing."""

    def __missing__(self, code: int) -> str | int:
        category = unicodedata.category(chr(code))
        self[code] = "" if category == "Cf" else " " if category[0] in "PZC" else code
        return self[code]


_BARE = _Bare()


def split_words(text: str) -> list[str]:
    """The words of a text: NFKC, case folded, without punctuation. Signs such as + and < stay."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_BARE).split()


def shingles(text: str) -> frozenset[str]:
    """The shingles of a text; one of fewer than three words is one shingle, one without words has none."""
    found = split_words(text)
    last = max(1, len(found) - SHINGLE_WORDS + 1) if found else 0
    return frozenset(" ".join(found[start : start + SHINGLE_WORDS]) for start in range(last))


def find_near_duplicates(texts: Mapping[str, str]) -> dict[str, str]:
    """Near-duplicate -> its representative, among the passages of one topic, given in order of preference.

    The first of several becomes the representative; one that is near to several representatives goes to the first of
    them. So each duplicate is itself near to its representative, which is none: no chains. Exact: every pair of a text
    and a representative that can reach the bound is compared. Texts without words have no duplicates.
    """
    sets = {name: shingles(text) for name, text in texts.items()}
    rarity = Counter(shingle for found in sets.values() for shingle in found)
    index: dict[str, list[int]] = defaultdict(list)
    representatives: list[str] = []
    duplicates: dict[str, str] = {}
    for name, found in sets.items():
        telling = _telling(found, rarity)
        places = sorted({place for shingle in telling for place in index[shingle]})
        near = next((representatives[p] for p in places if _are_near(found, sets[representatives[p]])), None)
        if near is not None:
            duplicates[name] = near
            continue
        for shingle in telling:
            index[shingle].append(len(representatives))
        representatives.append(name)
    return duplicates


def _telling(found: frozenset[str], rarity: Mapping[str, int]) -> list[str]:
    """The rarest shingles of a text, so many that a near-duplicate must share one of them: two sets of the same order
    that overlap in at least LEAST_JACCARD of each cannot have all their overlap behind these (Chaudhuri, Ganti and
    Kaushik 2006, A primitive operator for similarity joins)."""
    most_missing = len(found) - math.ceil(LEAST_JACCARD * len(found) - 1e-9)
    return sorted(found, key=lambda shingle: (rarity[shingle], shingle))[: most_missing + 1]


def _are_near(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the Jaccard coefficient reaches the bound, in whole numbers: at 4 of 5 it does."""
    if min(len(one), len(other)) < LEAST_JACCARD * max(len(one), len(other)) - 1e-9:
        return False
    shared = len(one & other)
    return 10 * shared >= round(10 * LEAST_JACCARD) * (len(one) + len(other) - shared)
