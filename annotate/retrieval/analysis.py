"""Text to terms: what counts as a word, in three ways that the retrieval systems choose from."""

import re
from collections.abc import Callable

Analysis = Callable[[str], list[str]]

_WORD = re.compile(r"[^\W_](?:[\w.]*[^\W_])?")
_BREAK = re.compile(r"[_.]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP_WORDS = """
    a about all also an and any are as at be been but by can could do does for from had has have how i if in
    into is it its just may me my no not of on or so some such than that the their them then there these they
    this to up us use used using via was we were what when where which while who why will with without would
    you your
"""

STOP_WORDS = frozenset(_STOP_WORDS.split())


def plain(text: str) -> list[str]:
    """Words in small letters, identifiers whole: `os.path.join` is one term. Nothing is left out."""
    return [word.lower() for word in _WORD.findall(text)]


def stemmed(text: str) -> list[str]:
    """Stems without stop words; an identifier gives itself and its parts.

    >>> stemmed("the itertools.groupby of maxLen")
    ['itertools.groupby', 'itertool', 'groupby', 'maxlen', 'max', 'len']
    """
    terms: list[str] = []
    for word in _WORD.findall(text):
        parts = _parts(word)
        if len(parts) > 1:
            terms.append(word.lower())
        terms.extend(stem(part) for part in parts if part not in STOP_WORDS)
    return terms


def character_grams(text: str, size: int = 4) -> list[str]:
    """The overlapping strings of `size` characters of each word that is no stop word, its edges marked.

    >>> character_grams("to join")
    ['_joi', 'join', 'oin_']
    """
    words = (part for word in _WORD.findall(text) for part in _parts(word) if part not in STOP_WORDS)
    return [gram for word in words for gram in _grams(f"_{word}_", size)]


def stem(word: str) -> str:
    """A word without the endings of plural, past and gerund. A light rule, which leaves 3 letters at least.

    >>> [stem(word) for word in ("files", "copies", "sorted", "matching", "class", "string", "use")]
    ['file', 'copy', 'sort', 'match', 'class', 'string', 'use']
    """
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and re.search(r"[aeiouy]", rest):
            return _undoubled(rest)
    return word


def _undoubled(rest: str) -> str:
    """`splitt` of `splitting` is `split`; `call` and `pass` keep their double letter."""
    is_doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
    return rest[:-1] if is_doubled else rest


def _parts(word: str) -> list[str]:
    """The parts of an identifier in small letters, cut at `_`, `.` and inside camelCase."""
    return [part.lower() for part in _BREAK.split(word)]


def _grams(word: str, size: int) -> list[str]:
    return [word[start : start + size] for start in range(max(1, len(word) - size + 1))]
