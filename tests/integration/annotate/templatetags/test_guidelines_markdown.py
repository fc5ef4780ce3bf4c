import pytest

from annotate.templatetags.guidelines_markdown import guidelines_markdown


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
    ],
)
def test_nothing_in_it_can_run_or_fetch(text):
    html = guidelines_markdown(text)
    for forbidden in ("<script", "<img", 'javascript:alert(1)"', 'href="data:', "<a href='", 'style="'):
        assert forbidden not in html


def test_html_in_the_text_is_shown_as_written():
    assert "&lt;b&gt;x&lt;/b&gt; AT&amp;amp;T" in guidelines_markdown("<b>x</b> AT&amp;amp;T")


def test_a_link_to_the_web_stays_a_link():
    assert 'href="https://example.org/"' in guidelines_markdown("[x](https://example.org/)")
