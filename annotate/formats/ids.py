"""What may be the id of a topic, a passage or a run."""

import unicodedata

from annotate.formats.faults import Refused

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
