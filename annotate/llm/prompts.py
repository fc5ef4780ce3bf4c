"""Prompts: two texts with placeholders, the part that stays the same over a batch and the part of one pair or topic.

Our own wordings are files in `prompts/`, the two texts with a line of three hyphens between them. A prompt is known by
its digest; once used it is never edited: another wording is another prompt.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("prompts")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_BETWEEN = re.compile(r"(?m)^---$\n")


class BadPrompt(ValueError):
    """Why a text is no prompt; the message names the placeholder."""


@dataclass(frozen=True)
class Template:
    """`fixed` goes to the system part, `text` to the user's."""

    fixed: str
    text: str

    @property
    def digest(self) -> str:
        """Of both texts; two prompts with one digest ask the same."""
        return hashlib.sha256(f"{len(self.fixed)}:{self.fixed}{self.text}".encode()).hexdigest()

    @property
    def placeholders(self) -> frozenset[str]:
        return frozenset(_PLACEHOLDER.findall(self.fixed) + _PLACEHOLDER.findall(self.text))

    def filled(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Both texts with their placeholders replaced, once: what is put in is not looked at again."""
        return fill(self.fixed, values), fill(self.text, values)


@dataclass(frozen=True)
class Kind:
    """What prompts of a kind may and must hold. `needed`: of each group at least one stands in the second text, which
    is that of `one`."""

    one: str
    known: frozenset[str]
    needed: tuple[frozenset[str], ...]


JUDGING = Kind(
    one="pair",
    known=frozenset({"guidelines", "grades", "examples", "answer", "need", "query", "backstory", "passage"}),
    needed=(frozenset({"passage"}), frozenset({"need", "query", "backstory"})),
)
BACKSTORY = Kind(one="topic", known=frozenset({"query", "avoid"}), needed=(frozenset({"query"}),))
VARIANTS = Kind(
    one="topic and profile",
    known=frozenset({"query", "backstory", "profile", "factors", "number", "avoid"}),
    needed=(frozenset({"query"}), frozenset({"profile", "factors"})),
)


def check(template: Template, kind: Kind) -> None:
    """Raises BadPrompt where a placeholder is unknown, or one that must be there is missing from the second text.

    Braces around anything but small letters are left as they are: a prompt may show JSON.
    """
    if unknown := sorted(template.placeholders - kind.known):
        known = ", ".join(f"{{{name}}}" for name in sorted(kind.known))
        raise BadPrompt(f"{{{unknown[0]}}} is not a placeholder; there are {known}")
    there = frozenset(_PLACEHOLDER.findall(template.text))
    for group in kind.needed:
        if not group & there:
            raise BadPrompt(f"The text of the {kind.one} needs {' or '.join(f'{{{name}}}' for name in sorted(group))}.")


@cache
def load(name: str, kind: Kind) -> Template:
    """One of our own prompts, checked. Raises FileNotFoundError for a name that is none."""
    fixed, text = _BETWEEN.split((_FOLDER / f"{name}.md").read_text("utf-8"), maxsplit=1)
    template = Template(fixed.strip(), text.strip())
    check(template, kind)
    return template


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders that have a value; one that is empty and alone on its line goes with the gap behind it.

    >>> fill("Of {query}: {passage}", {"query": "{passage}", "passage": "p"})
    'Of {passage}: p'
    """
    for name, value in values.items():
        if not value:
            text = re.sub(rf"(?m)^\{{{name}\}}\n*", "", text)
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text).strip()
