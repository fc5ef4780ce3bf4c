"""What can be measured of a query variant without asking anybody."""

from collections.abc import Collection
from typing import NamedTuple

from annotate.backstories import rules as backstories_rules
from annotate.variants.rules import readability


class Measures(NamedTuple):
    """`jaccard`: likeness to the seed query on stems, in [0, 1]; `words`: its length; `grade`: Flesch-Kincaid,
    approximate; `unknown`: its words that no list knows, in small letters, each once. None where nothing can be said.
    """

    jaccard: float | None
    words: int
    grade: float | None
    unknown: list[str]


def of(text: str, stems: Collection[str], seed_stems: Collection[str], known: Collection[str]) -> Measures:
    """Of a variant with its stems and those of the seed query; `known` are words in small letters.

    >>> of("Whats a hole", ["hole"], ["hole", "gap"], {"a", "hole"})
    Measures(jaccard=0.5, words=3, grade=-2.62, unknown=['whats'])
    """
    grade = readability.grade(text)
    return Measures(
        jaccard=backstories_rules.jaccard(stems, seed_stems),
        words=len(text.split()),
        grade=None if grade is None else round(grade, 2),
        unknown=[word for word in words(text) if word not in known],
    )


def words(text: str) -> list[str]:
    """The words whose spelling is looked up, in small letters, each once: those of two letters or more."""
    return list(dict.fromkeys(word.lower() for word in readability.words(text) if len(word) > 1))
