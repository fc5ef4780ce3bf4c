"""One record of each file format, by TREC's names. Ids are opaque text."""

from typing import NamedTuple, TypeAlias

Qrels: TypeAlias = dict[str, dict[str, int]]
"""Grades by query id, then by passage id. A pair that is not in it is a hole."""


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
