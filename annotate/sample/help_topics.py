"""The help topics of Python (`help("with")`), split into passages.

A topic is cut at its headings, and a long section further between paragraphs. A part is named by its topic
and by the words it begins with, not by a number: in another Python version a part that begins elsewhere
then has another name, and a grade is never given to a text that nobody graded.
"""

import re
from collections.abc import Iterator

from annotate.formats.records import Passage

MAX_CHARACTERS = 1500
WORDS_IN_NAME = 7

_UNDERLINE = re.compile(r"([=\-~*^\"])\1{2,}")


def passages() -> Iterator[Passage]:
    """The parts of all topics, short topics first: a section that a long one repeats comes after its own."""
    from pydoc_data.topics import topics

    for name, text in sorted(topics.items(), key=lambda item: (len(item[1]), item[0])):
        yield from split(name, text)


def split(topic: str, text: str) -> Iterator[Passage]:
    """The parts of one topic, most of them of `MAX_CHARACTERS` at most; a paragraph is never cut."""
    names: dict[str, int] = {}
    for heading, section in _sections(text):
        for part in _parts(section):
            name = f"topics/{topic}#{_slug(part)}"
            names[name] = names.get(name, 0) + 1
            passage_id = name if names[name] == 1 else f"{name}-{names[name]}"
            yield Passage(passage_id=passage_id, text=part, title=heading or topic)


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """(heading, paragraphs) of each section; a heading is a paragraph whose second line underlines it."""
    heading = ""
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text.strip("\n")):
        lines = paragraph.split("\n")
        if len(lines) == 2 and _UNDERLINE.fullmatch(lines[1]):
            if paragraphs:
                yield heading, paragraphs
            heading, paragraphs = lines[0], []
        paragraphs.append(paragraph)
    yield heading, paragraphs


def _parts(paragraphs: list[str]) -> Iterator[str]:
    """Paragraphs joined while they fit; an indented one stays with the one above it up to twice the size."""
    part: list[str] = []
    for paragraph in paragraphs:
        limit = 2 * MAX_CHARACTERS if paragraph.startswith(" ") else MAX_CHARACTERS
        if part and sum(map(len, part)) + len(paragraph) > limit:
            yield "\n\n".join(part)
            part = []
        part.append(paragraph)
    yield "\n\n".join(part)


def _slug(part: str) -> str:
    """The first words of a part, in small letters, with hyphens between."""
    return "-".join(re.findall(r"\w+", part)[:WORDS_IN_NAME]).lower() or "part"
