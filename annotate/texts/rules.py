"""Words, stems and readability of short texts, and what two texts share."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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


EDITION = 2
"""Of what is measured: what has an earlier one lacks a measure."""


class Measures(NamedTuple):
    """`jaccard`: similarity to the seed query on stems, in [0, 1]; `words`: its length; `grade`: Flesch-Kincaid,
    approximate; `unknown`: its words that no list knows, in small letters, each once; `jaccard_words`: similarity on
    words as they stand, stop words among them. None where nothing can be said.
    """

    jaccard: float | None
    words: int
    grade: float | None
    unknown: list[str]
    jaccard_words: float | None = None


def measure_text(
    text: str, seed: str, stems: Collection[str], seed_stems: Collection[str], known: Collection[str]
) -> Measures:
    """Of a variant of the seed query, with the stems of both; `known` are words in small letters.

    >>> measure_text("Whats a hole", "a gap, a hole", ["hole"], ["hole", "gap"], {"a", "hole"})
    Measures(jaccard=0.5, words=3, grade=-2.62, unknown=['whats'], jaccard_words=0.5)
    """
    grade = reading_grade(text)
    return Measures(
        jaccard=jaccard(stems, seed_stems),
        words=len(text.split()),
        grade=None if grade is None else round(grade, 2),
        unknown=[word for word in list_checked_words(text) if word not in known],
        jaccard_words=jaccard(list_small_words(text), list_small_words(seed)),
    )


def list_small_words(text: str) -> list[str]:
    return [word.lower() for word in split_words(text)]


def lexical_diversity(texts: Iterable[str]) -> float | None:
    """Distinct words among all words of these texts, in (0, 1]; None without words. It falls with their number, so
    compare as many of each.

    >>> lexical_diversity(["a hole", "A gap"])
    0.75
    """
    words = [word for text in texts for word in list_small_words(text)]
    return len(set(words)) / len(words) if words else None


class MannWhitney(NamedTuple):
    """`u` counts the pairs in which a value of the first sample is above one of the second, ties as half; `p` is
    two-sided, by the normal approximation with ties and continuity corrected; None where all values are equal."""

    u: float
    p: float | None


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> MannWhitney | None:
    """Whether values of one sample tend to be above those of the other; None where one of them is empty.

    >>> mann_whitney([1, 2], [3, 3])
    MannWhitney(u=0.0, p=0.22067136191984676)
    """
    if not first or not second:
        return None
    counts = Counter([*first, *second])
    below, ranks = 0, {}
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    m, n, total = len(first), len(second), len(first) + len(second)
    u = sum(ranks[value] for value in first) - m * (m + 1) / 2
    ties = sum(count**3 - count for count in counts.values()) / (total * (total - 1))
    variance = m * n / 12 * (total + 1 - ties)
    if variance <= 0:
        return MannWhitney(u, None)
    z = max(0.0, abs(u - m * n / 2) - 0.5) / math.sqrt(variance)
    return MannWhitney(u, math.erfc(z / math.sqrt(2)))


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
