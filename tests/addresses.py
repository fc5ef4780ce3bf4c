"""Every address of Lacuna, as the urls write it."""

import re
from collections.abc import Mapping

from django.urls import get_resolver

PART = re.compile(r"<(?:\w+:)?(\w+)>")


def routes() -> dict[str, str]:
    """The pattern of each name, such as `c/<slug:slug>/judge/`."""
    found, waiting = {}, [("", get_resolver())]
    while waiting:
        prefix, resolver = waiting.pop()
        for each in resolver.url_patterns:
            written = prefix + str(each.pattern)
            if hasattr(each, "url_patterns"):
                waiting.append((written, each))
            else:
                found[each.name] = written
    return found


def fill(pattern: str, parts: Mapping[str, object]) -> str:
    """The address of a pattern; a part that is not named raises KeyError."""
    return "/" + PART.sub(lambda part: str(parts[part[1]]), pattern)
