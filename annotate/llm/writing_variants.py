"""From a query and a profile to the request that asks for query variants, and from the answer to the wordings."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.llm import answers, fences
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template

MOST_TOKENS_EACH = 80
_AVOID = (
    "These are there already, so none of them again, nor one that differs from them in case, spaces or punctuation:"
)


@dataclass(frozen=True)
class VariantWriting:
    """All that is the same for the topics and profiles of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True

    def request(
        self, query: str, backstory: str, background: str, factors: str, number: int, there: Sequence[str] = ()
    ) -> Request:
        """Ask for `number` wordings; `there` are wordings that need not come again."""
        avoid = "\n".join([_AVOID, self._data("there", "\n".join(there))]) if there else ""
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
        return Request(self.model, fixed, text, 100 + MOST_TOKENS_EACH * number, self.temperature)

    def _data(self, name: str, text: str) -> str:
        return fences.data(name, text, self.is_fenced)


def read(reply: Reply) -> tuple[State, list[str]]:
    """How the answer ended, and its wordings where that is DONE, each on one line.

    Only a JSON array of strings is DONE (one code fence around it is taken off), and empty where it holds nothing.
    """
    if state := answers.broken_off(reply):
        return state, []
    text = answers.unfenced(reply.text)
    if not text:
        return State.EMPTY, []
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return State.UNPARSED, []
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return State.UNPARSED, []
    wordings = [" ".join(one.split()) for one in said]
    return (State.DONE, wordings) if wordings else (State.EMPTY, [])
