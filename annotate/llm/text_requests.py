"""Requests for backstories and query variants, and what is read from their answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.llm import answers, prompts
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template

BACKSTORY_TOKENS = 400
BACKSTORY_CHARACTERS = 2000
_AVOID_WORDS = "Do without these words, and without words of the same stem: {words}."


@dataclass(frozen=True)
class BackstoryRequests:
    """All that is the same for the topics of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True

    def request(self, query: str, avoid: Sequence[str]) -> Request:
        """`avoid`: words that the text should do without."""
        words = _AVOID_WORDS.format(words=", ".join(avoid)) if avoid else ""
        fixed, text = self.template.filled(
            {"query": prompts.fence_data("query", query, self.is_fenced), "avoid": words}
        )
        return Request(self.model, fixed, text, BACKSTORY_TOKENS, self.temperature)


def read_backstory(reply: Reply) -> tuple[State, str]:
    """How the answer ended, and its text where that is DONE: one paragraph of at most `MOST_CHARACTERS`.

    Lines are joined; more than one paragraph is a remark beside the text, and UNPARSED.
    """
    if state := answers.find_stop_state(reply):
        return state, ""
    text = answers.strip_fence(reply.text)
    if not text:
        return State.EMPTY, ""
    paragraphs = [" ".join(part.split()) for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]
    if len(paragraphs) != 1 or len(paragraphs[0]) > BACKSTORY_CHARACTERS:
        return State.UNPARSED, ""
    return State.DONE, paragraphs[0]


TOKENS_EACH_WORDING = 80
_AVOID_WORDINGS = (
    "These are there already, so none of them again, nor one that differs from them in case, spaces or punctuation:"
)


@dataclass(frozen=True)
class VariantRequests:
    """All that is the same for the topics and profiles of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True

    def request(
        self, query: str, backstory: str, background: str, factors: str, number: int, there: Sequence[str] = ()
    ) -> Request:
        """Ask for `number` wordings; `there` are wordings that need not come again."""
        avoid = "\n".join([_AVOID_WORDINGS, self._data("there", "\n".join(there))]) if there else ""
        fixed, text = self.template.filled(
            {
                "query": self._data("query", query),
                "backstory": self._data("need", backstory),
                "profile": self._data("profile", background),
                "factors": self._data("factors", factors),
                "avoid": avoid,
                "number": "one wording" if number == 1 else f"{number} wordings",
            }
        )
        return Request(self.model, fixed, text, 100 + TOKENS_EACH_WORDING * number, self.temperature)

    def _data(self, name: str, text: str) -> str:
        return prompts.fence_data(name, text, self.is_fenced)


def read_wordings(reply: Reply) -> tuple[State, list[str]]:
    """How the answer ended, and its wordings where that is DONE, each on one line.

    Only a JSON array of strings is DONE (one code fence around it is taken off), and empty where it holds nothing.
    """
    if state := answers.find_stop_state(reply):
        return state, []
    text = answers.strip_fence(reply.text)
    if not text:
        return State.EMPTY, []
    try:
        wordings = json.loads(text)
    except (ValueError, RecursionError):
        return State.UNPARSED, []
    if not isinstance(wordings, list) or not all(isinstance(one, str) for one in wordings):
        return State.UNPARSED, []
    lines = [" ".join(one.split()) for one in wordings]
    return (State.DONE, lines) if lines else (State.EMPTY, [])
