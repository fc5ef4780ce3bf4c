"""Where two texts differ, word by word, for people who look at them side by side."""

import difflib
import re
from typing import NamedTuple

_PIECES = re.compile(r"\s+|[^\s]+")


class Part(NamedTuple):
    """A stretch of one text; `is_other` where the other text has something else there, or nothing."""

    text: str
    is_other: bool


def side_by_side(one: str, other: str) -> tuple[list[Part], list[Part]]:
    """Both texts in parts, which joined give each text back; words and the white space between them count."""
    pieces = (_PIECES.findall(one), _PIECES.findall(other))
    parts: tuple[list[Part], list[Part]] = ([], [])
    for kind, *bounds in difflib.SequenceMatcher(None, *pieces, autojunk=False).get_opcodes():
        for side, (start, end) in enumerate((bounds[:2], bounds[2:])):
            if start < end:
                parts[side].append(Part("".join(pieces[side][start:end]), kind != "equal"))
    return parts
