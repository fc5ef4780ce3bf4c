"""`{{ guidelines.text|guidelines_markdown }}`: Markdown of a researcher, as HTML that can do nothing but look."""

from functools import lru_cache

import nh3
from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()

BLOCKS = {"h3", "h4", "h5", "h6", "p", "hr", "ul", "ol", "li", "pre", "blockquote"}
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
WORDS = {"strong", "em", "s", "code", "a", "br"}
ALLOWED_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
ALLOWED_SCHEMES = {"http", "https", "mailto"}
# The page has its own title and the part its own heading: the first level of the text stands below these.
HEADING_SHIFT = 2

_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@register.filter
@lru_cache(maxsize=64)
def guidelines_markdown(text: str) -> SafeString:
    """HTML in the text is shown as written; what gets past the renderer is held back by a list of allowed tags."""
    tokens = _markdown.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + HEADING_SHIFT)}"
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    return mark_safe(  # nh3 has cleaned it
        nh3.clean(
            html,
            tags=BLOCKS | TABLES | WORDS,
            attributes=ALLOWED_ATTRIBUTES,
            url_schemes=ALLOWED_SCHEMES,
            attribute_filter=_with_scheme,
        )
    )


def _with_scheme(tag: str, name: str, value: str) -> str | None:
    """An address without a scheme would lead about in Lacuna itself: the words stay, the link goes."""
    return value if name != "href" or value.lower().startswith(tuple(f"{one}:" for one in ALLOWED_SCHEMES)) else None
