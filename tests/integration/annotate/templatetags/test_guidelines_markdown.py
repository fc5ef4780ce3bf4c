from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotate.templatetags.guidelines_markdown import BLOCKS, TABLES, WORDS, guidelines_markdown

SCHEMES = ("http:", "https:", "mailto:")


class Seen(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}


def test_markdown_becomes_html_below_the_headings_of_the_page():
    html = guidelines_markdown("# Grades\n\n- **3** answers *it*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<h3>Grades</h3>" in html
    assert "<li><strong>3</strong> answers <em>it</em></li>" in html
    assert "<td>1</td>" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "<img src=x onerror=alert(1)>",
        "![x](https://elsewhere.example/pixel.png)",
        "<a href='https://x.example' style='position:fixed' onclick='alert(1)'>x</a>",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java\nscript:alert(1))",
        "[x]()",
        "[x](/c/dl/people/)",
        "[x](vbscript:alert(1))",
        "<javascript:alert(1)>",
        "[x][1]\n\n[1]: javascript:alert(1)",
        '[x](https://x.example "t\\" onmouseover=\\"alert(1)")',
        "`<script>alert(1)</script>`",
        "<svg/onload=alert(1)><iframe srcdoc='<script>alert(1)</script>'>",
        "| a |\n|---|\n| <style>*{display:none}</style> |",
    ],
)
def test_nothing_in_it_can_run_or_fetch(text):
    check(text)


def check(text: str) -> None:
    seen = Seen()
    seen.feed(guidelines_markdown(text))
    assert seen.tags <= BLOCKS | TABLES | WORDS
    assert {name for name, _ in seen.attributes} <= {"href", "title", "rel", "start"}
    assert all(value.lower().startswith(SCHEMES) for name, value in seen.attributes if name == "href")


PIECES = [
    "<script>",
    "</p>",
    "[x](",
    "javascript:alert(1)",
    ")",
    "<a href=",
    "'",
    '"',
    ">",
    "`",
    "\n",
    "|",
    "&#58;",
    "![",
    "]",
]


@example("[x]()")
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_mixture_of_hostile_pieces_can_run_or_fetch(text):
    check(text)


def test_html_in_the_text_is_shown_as_written():
    assert "&lt;b&gt;x&lt;/b&gt; AT&amp;amp;T" in guidelines_markdown("<b>x</b> AT&amp;amp;T")


def test_a_link_to_the_web_stays_a_link():
    assert 'href="https://example.org/"' in guidelines_markdown("[x](https://example.org/)")
