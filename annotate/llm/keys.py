"""Keys of services: whether one is set and can be one, and texts without them. No key ever leaves this module."""

import os
from collections.abc import Mapping

# Servers at home take any word as a key; a short one is no secret, and stands in many texts.
_LEAST_SIGNS = 8
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY")


def flaw(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """What is wrong with the key in a variable, in a sentence without it; empty where nothing is, or none is set.

    >>> flaw("OPENAI_API_KEY", {"OPENAI_API_KEY": "sk-a\\n"})
    'OPENAI_API_KEY holds white space or signs that no key has (a line break at its end, perhaps): set it anew.'
    """
    key = environment.get(name, "")
    if all("!" <= sign <= "~" for sign in key):
        return ""
    return f"{name} holds white space or signs that no key has (a line break at its end, perhaps): set it anew."


def without(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text with every key that is set taken out: some servers repeat the key that they refuse.

    >>> without("no such key: sk-a1b2c3", {"OPENAI_API_KEY": "sk-a1b2c3"})
    'no such key: [key]'
    """
    for key in (environment.get(name, "") for name in NAMES):
        if len(key) >= _LEAST_SIGNS:
            text = text.replace(key, "[key]")
    return text
