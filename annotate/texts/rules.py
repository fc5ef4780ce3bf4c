"""Words, stems and readability of short texts, and what two texts share."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import NamedTuple


def share(of: Collection[str], within: Collection[str]) -> float | None:
    """The share in [0, 1] of the distinct stems of one text that are among those of another; None where it has none.

    >>> share(["hole", "gap"], ["the", "gap"]), share([], ["gap"])
    (0.5, None)
    """
    wanted = set(of)
    return len(wanted & set(within)) / len(wanted) if wanted else None


def jaccard(one: Collection[str], other: Collection[str]) -> float | None:
    """The distinct stems that both have among all that either has, in [0, 1]; None where neither has any.

    >>> jaccard(["hole", "gap"], ["gap", "text"]), jaccard([], [])
    (0.3333333333333333, None)
    """
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else None


_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT_END = re.compile(r"(?<=[^aeiouy])(?:e|es|ed)$")
_SOUNDED_END = re.compile(r"(?:[^aeiouyl]l[e]s?|[td]ed|(?:s|x|z|ch|sh|c|g)es)$")


def split_words(text: str) -> list[str]:
    """The words of a text as they stand, without digits."""
    return _WORD.findall(text)


def count_syllables(word: str) -> int:
    """About as many as are spoken, at least 1: groups of vowels, without an ending that is silent.

    >>> [count_syllables(word) for word in ("cat", "table", "hoped", "wanted", "beautiful", "rhythm", "houses")]
    [1, 2, 1, 2, 3, 1, 2]
    """
    small = word.lower()
    count = len(_VOWELS.findall(small))
    if count > 1 and _SILENT_END.search(small) and not _SOUNDED_END.search(small):
        count -= 1
    return max(1, count)


def reading_grade(text: str) -> float | None:
    """The Flesch-Kincaid grade, which can be below 0 for texts of short words; None for a text without words."""
    words = split_words(text)
    if not words:
        return None
    sentences = max(1, len(_SENTENCE_END.findall(text.strip())))
    spoken = sum(count_syllables(word) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * spoken / len(words) - 15.59


class Measures(NamedTuple):
    """`jaccard`: similarity to the seed query on stems, in [0, 1]; `words`: its length; `grade`: Flesch-Kincaid,
    approximate; `unknown`: its words that no list knows, in small letters, each once. None where nothing can be said.
    """

    jaccard: float | None
    words: int
    grade: float | None
    unknown: list[str]


def measure_text(text: str, stems: Collection[str], seed_stems: Collection[str], known: Collection[str]) -> Measures:
    """Of a variant with its stems and those of the seed query; `known` are words in small letters.

    >>> measure_text("Whats a hole", ["hole"], ["hole", "gap"], {"a", "hole"})
    Measures(jaccard=0.5, words=3, grade=-2.62, unknown=['whats'])
    """
    grade = reading_grade(text)
    return Measures(
        jaccard=jaccard(stems, seed_stems),
        words=len(text.split()),
        grade=None if grade is None else round(grade, 2),
        unknown=[word for word in list_checked_words(text) if word not in known],
    )


def list_checked_words(text: str) -> list[str]:
    """The words whose spelling is looked up, in small letters, each once: those of two letters or more."""
    return list(dict.fromkeys(word.lower() for word in split_words(text) if len(word) > 1))


MOST_CHARACTERS = 1000
USUAL_TEMPERATURE = 1.0
"""Below it, models repeat their wordings."""
_UNSEEN = ("Cc", "Cf")


def normalize_wording(text: str) -> str:
    """The text without case, punctuation, signs that nobody sees and differences of white space or of Unicode form.

    >>> normalize_wording("What's  a Hole?\\u200b") == normalize_wording("what s a hole"), normalize_wording("?!")
    (True, '')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(map(_plain_sign, folded)).split())


def select_new_wordings(texts: Iterable[str], known: Iterable[str]) -> list[str]:
    """Those that are none of the known ones and none of the earlier ones, in their order. Texts of punctuation alone
    and those longer than `MOST_CHARACTERS` are no wordings.

    >>> select_new_wordings(["a hole", "A hole!", "", "holes", "the seed"], ["The seed?"])
    ['a hole', 'holes']
    """
    met = {normalize_wording(text) for text in known} | {""}
    new = []
    for text in texts:
        form = normalize_wording(text)
        if form not in met and len(text) <= MOST_CHARACTERS:
            met.add(form)
            new.append(text)
    return new


def _plain_sign(sign: str) -> str:
    category = unicodedata.category(sign)
    if category.startswith("P"):
        return " "
    return "" if category in _UNSEEN and not sign.isspace() else sign
