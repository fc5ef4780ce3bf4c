"""An assessor who reads nothing and judges: saves through the judging page's own requests, without think time."""

import re
from html import unescape
from typing import NamedTuple

from benchmarks.judging_browser import Answer, Browser, Failed

_FORM = re.compile(r'<form id="judgment".*?</form>', re.DOTALL)
_SAVE = re.compile(r'hx-post="([^"]*)"')
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class Card(NamedTuple):
    """The form that stands before an assessor: where it is sent, and what goes with the grade."""

    address: str
    fields: dict[str, str]

    @property
    def is_reveal(self) -> bool:
        return "key" not in self.fields


class Judged(NamedTuple):
    """One request: the grade saved (or kept after a reveal) and what came next."""

    seconds: float
    bytes: int
    is_decision: bool = False


class Assessor:
    def __init__(self, browser: Browser, slug: str) -> None:
        self.browser = browser
        self._page = f"/c/{slug}/judge/"
        self.card: Card | None = None

    def open(self) -> Answer:
        """The judging page, cold."""
        answer = self.browser.get(self._page)
        self.card = card(_good(answer))
        return answer

    def judge(self, grade: int) -> Judged:
        """Grade the pair of the card, or keep this grade after a reveal; the answer brings the next card."""
        if self.card is None:
            raise Failed("there is nothing to judge")
        shown = self.card
        said = {**shown.fields, "grade": str(grade), "visible_ms": "3000", "wall_ms": "3500"}
        answer = self.browser.post(shown.address, said, is_htmx=True)
        self.card = card(_good(answer))
        return Judged(answer.seconds, answer.bytes, shown.is_reveal)


def card(html: str) -> Card | None:
    """The form on a page or in a fragment; None where nothing is left to judge."""
    form = _FORM.search(html)
    if not form:
        return None
    address = _SAVE.search(form[0])
    assert address, "the form is sent nowhere"
    return Card(unescape(address[1]), {name: unescape(value) for name, value in _HIDDEN.findall(form[0])})


def _good(answer: Answer) -> str:
    if answer.status != 200:
        raise Failed(f"{answer.status}: {' '.join(answer.text.split())[:200]}")
    return answer.text
