"""One record of each file format, by TREC's names; what may be an id; the scale of grades."""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeAlias, TypeVar

from annotate.formats.faults import Refused

Record = TypeVar("Record")
Qrels: TypeAlias = dict[str, dict[str, int]]
"""Grades by query id, then by passage id. A pair that is not in it is a hole."""


def split(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    """Parts of so many records; the last one may have fewer."""
    rest = iter(records)
    while part := list(itertools.islice(rest, size)):
        yield part


class Qrel(NamedTuple):
    """The grade of one topic-passage pair; negative grades are kept (-1 pooled but unjudged, -2 junk)."""

    query_id: str
    passage_id: str
    grade: int


class Topic(NamedTuple):
    """An information need: the query as typed, and what is told about it (empty where nothing is)."""

    query_id: str
    text: str
    description: str = ""
    narrative: str = ""
    backstory: str = ""


class Variant(NamedTuple):
    """A query variant: which topic it asks, as which profile, and which of that profile's it is (from 1).

    The text is empty where a file tells only what the variant stands for.
    """

    variant_id: str
    query_id: str
    profile: str
    number: int
    text: str = ""


class Passage(NamedTuple):
    """A passage's text, byte for byte as in its file; the text may be empty."""

    passage_id: str
    text: str
    title: str = ""


MAX_BYTES = 512
"""Longest id in UTF-8. Ids stand in database indexes, whose rows hold some 2,700 bytes in PostgreSQL."""


def check_id(text: str) -> str:
    """The id itself, which stays as it is: opaque text, compared byte for byte, never normalised.

    Raises Refused for an id that is empty or longer than MAX_BYTES, or that has white space, a control
    character (NUL among them) or a lone surrogate in it.
    """
    if not text:
        raise Refused("empty id")
    if not is_plain(text):
        _check_characters(text)
    if len(text.encode()) > MAX_BYTES:
        raise Refused(f"id {text[:20]!r}... is longer than {MAX_BYTES} bytes")
    return text


def is_plain(text: str) -> bool:
    """Whether nothing in the text can be refused: a quick answer, which for a few good ids is no."""
    return text.isprintable() and " " not in text


def _check_characters(text: str) -> None:
    for character in text:
        if character == "\0":
            raise Refused(f"id {text!r} has a NUL in it")
        if character.isspace():
            raise Refused(f"id {text!r} has white space in it (U+{ord(character):04X})")
        if unicodedata.category(character) in ("Cc", "Cs"):
            raise Refused(f"id {text!r} has the character U+{ord(character):04X} in it, which an id cannot have")


_TEXT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
HIGHEST = 10


@dataclass(frozen=True)
class GradeScale:
    """Whole grades from `low` to `high`, both included; 0-3 unless a collection says otherwise.

    Negative grades (-1 pooled but unjudged, -2 junk) are never on a scale. Grades end at 10: each has its words in the
    guidelines and its place in the judging form, and of more no person keeps them apart. 0 to 9 have a key; 10 is
    clicked. Raises Refused unless 0 <= low < high <= 10.
    """

    low: int = 0
    high: int = 3

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high:
            raise Refused(f"a grade scale goes from 0 or more up to a higher grade, not from {self.low} to {self.high}")
        if self.high > HIGHEST:
            raise Refused(f"grades go up to {HIGHEST}, not to {self.high}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The scale written as `0-3`; raises Refused for any other shape."""
        match = _TEXT.fullmatch(text)
        if not match:
            raise Refused(f"{text!r} is not a grade scale such as 0-3")
        return cls(int(match[1]), int(match[2]))

    @property
    def grades(self) -> range:
        """All grades of the scale, ascending."""
        return range(self.low, self.high + 1)

    @property
    def relevant_from(self) -> int:
        """The grade from which a pair is relevant where the scale is split in two: its upper half, 2 on 0-3.

        >>> [GradeScale(*ends).relevant_from for ends in ((0, 3), (0, 2), (0, 1))]
        [2, 2, 1]
        """
        return (self.low + self.high) // 2 + 1

    def __contains__(self, grade: object) -> bool:
        return grade in self.grades

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"
