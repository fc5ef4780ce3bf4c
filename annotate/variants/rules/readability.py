"""How hard an English text is to read: the grade of a United States school that it asks for.

Kincaid, Fishburne, Rogers and Chissom (1975), Derivation of new readability formulas for Navy enlisted personnel.
Syllables are counted by a rule of thumb on letters, so the grade is approximate; a query is short, which makes it
rough.
"""

import re

_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT_END = re.compile(r"(?<=[^aeiouy])(?:e|es|ed)$")
_SOUNDED_END = re.compile(r"(?:[^aeiouyl]l[e]s?|[td]ed|(?:s|x|z|ch|sh|c|g)es)$")


def words(text: str) -> list[str]:
    """The words of a text as they stand, without digits."""
    return _WORD.findall(text)


def syllables(word: str) -> int:
    """About as many as are spoken, at least 1: groups of vowels, without an ending that is silent.

    >>> [syllables(word) for word in ("cat", "table", "hoped", "wanted", "beautiful", "rhythm", "houses")]
    [1, 2, 1, 2, 3, 1, 2]
    """
    small = word.lower()
    count = len(_VOWELS.findall(small))
    if count > 1 and _SILENT_END.search(small) and not _SOUNDED_END.search(small):
        count -= 1
    return max(1, count)


def grade(text: str) -> float | None:
    """The Flesch-Kincaid grade, which can be below 0 for texts of short words; None for a text without words."""
    found = words(text)
    if not found:
        return None
    sentences = max(1, len(_SENTENCE_END.findall(text.strip())))
    spoken = sum(syllables(word) for word in found)
    return 0.39 * len(found) / sentences + 11.8 * spoken / len(found) - 15.59
